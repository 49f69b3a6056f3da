// Icons: 24 by 24, drawn with the colour of the text around them.
const PATHS = {
  play: "M7 5v14l12-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  previous: "M6 5h2v14H6zM20 5v14L9 12z",
  next: "M16 5h2v14h-2zM4 5v14l11-7z",
  back: "M15 6l-6 6 6 6",
  forward: "M9 6l6 6-6 6",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  screen: "M3 5h18v11H3zM9 20h6M12 16v4",
  full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  list: "M4 6h16M4 12h16M4 18h16",
  loop: "M17 2l4 4-4 4M3 11V9a3 3 0 0 1 3-3h15M7 22l-4-4 4-4M21 13v2a3 3 0 0 1-3 3H3",
  start: "M6 5v14M19 5l-10 7 10 7z",
  arrow: "M4 20L19 5M10 5h9v9",
  plot: "M4 4v16h16M7 15l4-5 3 3 5-7",
  table: "M4 5h16v14H4zM4 10h16M4 15h16M10 5v14",
  open: "M3 7V5h6l2 2h10v12H3z",
  save: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6",
  share: "M8 12a3 3 0 1 1-4 3M16 6a3 3 0 1 1 1 3M16 18a3 3 0 1 0 1-3M7 11l9-4M7 14l9 4",
  help: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17.5v.5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  layers: "M12 3l9 5-9 5-9-5zM3 12.5l9 5 9-5M3 17l9 5 9-5",
  trail: "M3 18c4-12 7 2 10-5s4-6 8-6",
  target: "M12 3v4M12 17v4M3 12h4M17 12h4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  frame: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M9 9h6v6H9z",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  undo: "M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  check: "M5 13l4 4L19 7",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  warning: "M12 4L2 20h20zM12 10v4M12 17v.5",
} as const;

export type IconName = keyof typeof PATHS;
const FILLED = new Set<IconName>(["play", "pause", "previous", "next", "start"]);

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={FILLED.has(name) ? "icon filled" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
