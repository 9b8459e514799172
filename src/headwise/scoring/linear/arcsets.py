"""The named sets of arc templates, as rows (see `templates` for the format)."""

PAPER_000 = """
# Table 1a: unigrams
plain h.word h.tag
plain h.word
plain h.tag
plain m.word m.tag
plain m.word
plain m.tag
# Table 1b: bigrams
plain h.word h.tag m.word m.tag
plain h.tag m.word m.tag
plain h.word m.word m.tag
plain h.word h.tag m.tag
plain h.word h.tag m.word
plain h.word m.word
plain h.tag m.tag
# the same with prefixes, where a word is long
plain h.backoff h.tag
plain h.backoff
plain m.backoff m.tag
plain m.backoff
plain h.backoff h.tag m.backoff m.tag
plain h.tag m.backoff m.tag
plain h.backoff m.backoff m.tag
plain h.backoff h.tag m.tag
plain h.backoff h.tag m.backoff
plain h.backoff m.backoff
# Table 1c: in between, surrounding, and trigrams with one of the context tags removed
plain h.tag b.tag m.tag
plain h.tag h+1.tag m-1.tag m.tag
plain h-1.tag h.tag m-1.tag m.tag
plain h.tag h+1.tag m.tag m+1.tag
plain h-1.tag h.tag m.tag m+1.tag
plain h.tag m-1.tag m.tag
plain h.tag m.tag m+1.tag
plain h.tag h+1.tag m.tag
plain h-1.tag h.tag m.tag
"""

HIGHER_ORDER = """
# words, with direction
direction h.word h.tag
direction h.word
direction m.word m.tag
direction m.word
direction h.word h.tag m.word m.tag
direction h.tag m.word m.tag
direction h.word m.word m.tag
direction h.word h.tag m.tag
direction h.word h.tag m.word
direction h.word m.word
direction h.lemma m.lemma
direction h.lemma m.tag
direction h.tag m.lemma
direction h.word m.upos
direction h.upos m.word
direction m-1.word m.word
direction m.word m+1.word
direction h.word h+1.word
direction h-1.word h.word
direction h.tag m.tag m-1.word
direction h.tag m.tag m+1.word
direction h.tag h+1.word m.tag
direction h.tag h-1.word m.tag
# tags and features, with direction, and with direction and distance
distance h.tag
distance m.tag
distance h.tag m.tag
distance h.upos m.upos
distance h.tag m.upos
distance h.upos m.tag
distance h.tag h+1.tag m-1.tag m.tag
distance h-1.tag h.tag m-1.tag m.tag
distance h.tag h+1.tag m.tag m+1.tag
distance h-1.tag h.tag m.tag m+1.tag
distance h.tag h+1.tag m.tag
distance h.tag m-1.tag m.tag
distance h-1.tag h.tag m.tag
distance h.tag m.tag m+1.tag
distance h-1.tag h.tag h+1.tag m.tag
distance h.tag m-1.tag m.tag m+1.tag
distance h.upos h+1.upos m-1.upos m.upos
distance h-1.upos h.upos m-1.upos m.upos
distance h.upos h+1.upos m.upos m+1.upos
distance h-1.upos h.upos m.upos m+1.upos
distance h-1.upos h.upos h+1.upos m-1.upos m.upos m+1.upos
distance h.tag h+1.tag h+2.tag m.tag
distance h-2.tag h-1.tag h.tag m.tag
distance h.tag m.tag m+1.tag m+2.tag
distance h.tag m-2.tag m-1.tag m.tag
distance h.feats m.feats
distance h.tag h.feats m.tag
distance h.tag m.tag m.feats
distance h.upos h.feats m.upos m.feats
# what is between
distance h.tag m.tag counts
distance h.upos m.upos counts
distance h.upos b.upos m.upos
distance h.tag b.upos m.tag
"""

DEFAULT = f"""{HIGHER_ORDER}
# the word at one end with a tag beside an end: useless with higher-order parts
direction h.word h.tag m-1.tag m.tag
direction h.word h.tag m.tag m+1.tag
direction h-1.tag h.tag m.word m.tag
direction h.tag h+1.tag m.word m.tag
"""

PAIRS = """
# word pairs and tag pairs (Wang 2008, section 8.6), with direction
direction h.word m.word
direction h.tag m.tag
"""

GUIDE_TEMPLATES = (
    "plain guide",
    "distance h.tag guide",
    "distance m.tag guide",
    "distance h.tag m.tag guide",
    "plain h.word guide",
    "plain m.word guide",
)
"""Templates on another parser's trees, in addition to any feature set."""

PRUNER = """
plain h.word h.tag
plain h.word
plain h.tag
plain m.word m.tag
plain m.word
plain m.tag
plain h.tag m.word m.tag
plain h.word h.tag m.tag
plain h.word m.word
plain h.tag m.tag
plain h.tag h+1.tag m-1.tag m.tag
plain h-1.tag h.tag m-1.tag m.tag
plain h.tag h+1.tag m.tag m+1.tag
plain h-1.tag h.tag m.tag m+1.tag
plain h.tag m-1.tag m.tag
plain h.tag m.tag m+1.tag
plain h.tag h+1.tag m.tag
plain h-1.tag h.tag m.tag
distance h.upos m.upos
distance h.upos h+1.upos m-1.upos m.upos
distance h-1.upos h.upos m.upos m+1.upos
distance h.tag m.tag counts
distance h.upos b.upos m.upos
"""

FEATURE_SETS = {
    "default": DEFAULT,
    "higher-order": HIGHER_ORDER,
    "paper-000": PAPER_000,
    "pairs": PAIRS,
    "pruner": PRUNER,
}
"""The named feature sets."""
