"""The named sets of arc templates: files of rows in `data/features` (format: `templates`)."""

from headwise.corpus.files import packaged_text

HIGHER_ORDER, FIRST_ORDER, GUIDE = (
    packaged_text("features", name) for name in ("higher-order", "first-order", "guide")
)

FEATURE_SETS = {
    "default": HIGHER_ORDER + FIRST_ORDER,
    "higher-order": HIGHER_ORDER,
    **{name: packaged_text("features", name) for name in ("paper-000", "pairs", "pruner")},
}
"""The named feature sets."""

GUIDE_TEMPLATES = tuple(GUIDE.splitlines())
"""Templates on another parser's trees, in addition to any feature set."""
