"""Search: from Scores to trees, and every exact question about them."""
