// The English catalogue: one file for each part of the page.
import { access } from "./access.ts";
import { calculator } from "./calculator.ts";
import { card } from "./card.ts";
import { editor } from "./editor.ts";
import { energy } from "./energy.ts";
import { events } from "./events.ts";
import { gallery } from "./gallery.ts";
import { help } from "./help.ts";
import { inspector } from "./inspector.ts";
import { palette } from "./palette.ts";
import { parameters } from "./parameters.ts";
import { plots } from "./plots.ts";
import { problems } from "./problems.ts";
import { saving } from "./saving.ts";
import { share } from "./share.ts";
import { shell } from "./shell.ts";
import { timeline } from "./timeline.ts";
import { tour } from "./tour.ts";
import { vectors } from "./vectors.ts";
import { view } from "./view.ts";

export const en = {
  ...access,
  ...calculator,
  ...card,
  ...editor,
  ...energy,
  ...events,
  ...gallery,
  ...help,
  ...inspector,
  ...palette,
  ...parameters,
  ...plots,
  ...problems,
  ...saving,
  ...share,
  ...shell,
  ...timeline,
  ...tour,
  ...vectors,
  ...view,
} as const;
