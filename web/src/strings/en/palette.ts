// Words of the page: the palette.
export const palette = {
  "palette.title": "All actions",
  "palette.search": "What shall be done?",
  "palette.none": "Nothing is called so.",
  "palette.open": "Open: {title}",
  "palette.experiments": "Experiments",
  "palette.page": "Page",
} as const;
