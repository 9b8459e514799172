"""From raw text to tagged words: stages that are learnt from a treebank.

text → tokeniser (sentences, tokens, words) → tagger (UPOS, XPOS, FEATS) → lemmas → parser

Each stage has `fit(sentences, training, progress)`, that of lemmas without `training`, for there is
nothing to choose; and `to_model()`, which gives settings and arrays, from which
`from_model(settings, arrays)` makes it again.
"""
