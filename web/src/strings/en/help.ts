// Words of the page: help.
export const help = {
  "help.open": "Keys and help",
  "help.title": "Keys",
  "help.theme_dark": "Dark",
  "help.theme_light": "Light",
  "help.theme": "Light or dark",
  "help.group": "The page",
  "help.text": "Write the laws on the left. The view obeys them at once. Click a red tick below to see everything before and after a collision; click an object to see its values.",
  "help.focus_editor": "Go to the text",
  "help.focus_view": "Go to the view",
  "help.fold_laws": "Fold the laws, and unfold them",
  "help.inspector": "Show all values",
  "help.arrows": "Show the arrows",
  "help.tab": "Show {name}",
  "help.space": "Space",
} as const;
