"""Trees to look at: in the terminal and as SVG."""
