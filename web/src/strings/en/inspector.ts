// Words of the page: the inspector.
export const inspector = {
  "inspector.of": "Values of",
  "inspector.world": "the world, and measures",
  "inspector.now": "Now",
  "inspector.quantity": "Quantity",
  "inspector.arrow": "Draw {name} as an arrow",
  "inspector.plot": "Plot {name} over time",
  "inspector.table": "Put {name} into the table",
  "inspector.constant": "constant",
} as const;
