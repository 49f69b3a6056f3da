// Words of the page: cards over the world.
export const card = {
  "card.more": "more",
  "card.event": "Chosen: {kind}",
  "card.event_at": "t = {time} s: {objects}",
  "card.leave_event": "Choose no event",
} as const;
