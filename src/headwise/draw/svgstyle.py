"""The style sheet of all SVG drawings, for light and dark mode.

The background is part of the drawing, so that it is readable on any page. Arcs of only one of two
trees differ in dashes and position as well as in colour.
"""

STYLE = """
text{font-family:"Helvetica Neue",Arial,"Liberation Sans","Noto Sans",sans-serif;\
text-anchor:middle;unicode-bidi:isolate}
.word{font-size:16px;fill:#1f2328}
.tag{font-size:10px;fill:#656d76;letter-spacing:.03em}
.relation{font-size:11px;fill:#0a4f9e}
.caption{font-size:11px;fill:#656d76;text-anchor:start}
.paper{fill:#fff}
.halo{fill:none;stroke:#fff;stroke-width:5}
.arc{fill:none;stroke:#7d8590;stroke-width:1.4}
.arrow{fill:#7d8590}
.label{fill:#eef3f9}
.arc.root{stroke:#1f2328;stroke-width:1.8}
.arrow.root{fill:#1f2328}
.arc.first{stroke:#b3261e;stroke-width:1.8;stroke-dasharray:7 3}
.arrow.first,.relation.first{fill:#b3261e}
.label.first{fill:#fbeceb}
.arc.second{stroke:#1a7f37;stroke-width:1.8;stroke-dasharray:2 3}
.arrow.second,.relation.second{fill:#1a7f37}
.label.second{fill:#e9f6ec}
.label.differs{fill:#fff4d6;stroke:#9a6700}
.relation.differs{fill:#7d4e00}
@media (prefers-color-scheme:dark){
.word{fill:#e6edf3}
.tag,.caption{fill:#9198a1}
.relation{fill:#79b8ff}
.paper{fill:#0d1117}
.halo{stroke:#0d1117}
.arc{stroke:#848d97}
.arrow{fill:#848d97}
.label{fill:#182435}
.arc.root{stroke:#e6edf3}
.arrow.root{fill:#e6edf3}
.arc.first{stroke:#ff7b72}
.arrow.first,.relation.first{fill:#ff7b72}
.label.first{fill:#331a1c}
.arc.second{stroke:#56d364}
.arrow.second,.relation.second{fill:#56d364}
.label.second{fill:#12261a}
.label.differs{fill:#2e2410;stroke:#d29922}
.relation.differs{fill:#e3b341}
}
"""
