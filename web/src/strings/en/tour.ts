// Words of the page: the guided tour.
export const tour = {
  "tour.title": "Guided tour",
  "tour.step": "Step {number} of {count}",
  "tour.skip": "Skip the tour",
  "tour.take": "Take the guided tour",
  "tour.number": "Double-click `9.81` and type `1.62`: this is the Moon.",
  "tour.bounce": "Each red tick is a bounce. Click one to see what it changed.",
  "tour.plot": "Click the ball. On its card, press the curve beside `v` to plot its velocity.",
  "tour.slider": "Numbers can be sliders. Open **Sliders** and drag `restitution`.",
  "tour.law": "You write the laws. Spoil one, delete a letter of `restitution`, and see what the page says. Then mend it: Ctrl+Z takes it back.",
} as const;
