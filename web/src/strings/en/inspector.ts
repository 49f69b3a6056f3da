// Words of the page: the inspector.
export const inspector = {
  "inspector.of": "Values of",
  "inspector.world": "the world, and measures",
  "inspector.none": "Choose an object, here or in the view.",
  "inspector.now": "Now",
  "inspector.quantity": "Quantity",
  "inspector.arrow": "Draw {name} as an arrow",
  "inspector.plot": "Plot {name} over time",
  "inspector.table": "Put {name} into the table",
  "inspector.constant": "constant",
  "inspector.state": "{state} by the laws of “{context}”",
  "inspector.filter": "Find a quantity",
} as const;
