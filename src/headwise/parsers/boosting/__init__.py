"""Structured boosting (Wang 2008, chapter 7): local link classifiers that learn from the parser.

treebank → LinkExamples → LinkClassifier, one for each pair of tags → hypothesis
                ↑                                                         ↓
            reweighting ← what the parser got wrong ← ChartDecoder ← scores of links
"""
