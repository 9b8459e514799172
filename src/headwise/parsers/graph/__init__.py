"""Graph-based parsers of orders 1 to 4: `DependencyParser`."""
