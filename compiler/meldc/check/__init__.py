"""Types and names: from surface trees to the typed nodes of a Program, with every problem found."""
