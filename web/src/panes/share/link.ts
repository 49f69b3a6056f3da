// Links: what a link says of an experiment, and the link that says it.
//
//   ?open=bouncing_ball&set=restitution=0.5&simulation=drop     an experiment of the gallery, with other values
//   ?file=week1/drop.lab                                         a file of the folder of the lab
//   ?set=restitution=0.5#text=…                                  the whole text, compressed
//   ?open=kepler#show=…                                          plots, arrows, camera and moment, compressed
import type { InitialExperiment } from "../../lab/experiment.ts";
import type { Lab } from "../../lab/lab.ts";
import { fileOf } from "../../lab/saving/draft_rules.ts";
import { type Reloaded, reloaded } from "../../lab/saving/unsaved.ts";
import type { Number as TextNumber, Origin } from "../../wire/types.ts";
import { arrival } from "./arrival.ts";
import { pack, TooLong, unpack } from "./pack.ts";

/** What is shown takes no more room than this. */
const MAX_SHOWN_BYTES = 1 << 16;

/** What the page shall begin with: what was typed before it was loaded again, else what its address says. */
export async function beginning(location: Location): Promise<InitialExperiment | null> {
  const kept = reloaded();
  if (kept !== null && isTyped(kept, location)) return kept;
  const query = new URLSearchParams(location.search);
  const settings = query.getAll("set");
  const simulation = query.get("simulation");
  const rest = { ...(settings.length > 0 ? { settings } : {}), ...(simulation === null ? {} : { simulation }) };
  const text = new URLSearchParams(location.hash.slice(1)).get("text");
  if (text !== null) {
    try {
      const unpacked = await unpack(text);
      arrival.value = { how: "came", text: unpacked };
      return { origin: { from: "page" }, text: unpacked, ...rest };
    } catch (why) {
      // A link that cannot be read still opens the page, with what it would open without one.
      arrival.value = { how: why instanceof TooLong ? "too_long" : "damaged" };
      return null;
    }
  }
  const origin = originOf(location);
  return origin === null ? kept : { origin, ...rest };
}

/** What the address wants to be shown beside the text; `null` if it says nothing that can be read. */
export async function shownBy(location: Pick<Location, "hash">): Promise<unknown> {
  const packed = new URLSearchParams(location.hash.slice(1)).get("show");
  try {
    return packed === null ? null : JSON.parse(await unpack(packed, MAX_SHOWN_BYTES));
  } catch {
    return null;
  }
}

/** Whether a text that was kept over a reload was typed into what the address names. Who opens a link anew wants what is in the link. */
function isTyped(kept: Reloaded, location: Location): boolean {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (visit?.type !== "reload" && visit?.type !== "back_forward") return false;
  const named = location.hash.startsWith("#text=") ? ({ from: "page" } as const) : originOf(location);
  return named === null || fileOf(named) === fileOf(kept.origin);
}

/** The experiment that an address names. */
export function originOf(location: Pick<Location, "search">): Origin | null {
  const query = new URLSearchParams(location.search);
  const [name, file] = [query.get("open"), query.get("file")];
  if (name !== null) return { from: "gallery", name };
  return file === null ? null : { from: "folder", name: file };
}

/** The address of an experiment; `null` for a text that is in no file. */
export function searchOf(origin: Origin): string | null {
  if (origin.from === "page") return null;
  const name = encodeURIComponent(origin.name).replaceAll("%2F", "/");
  return origin.from === "gallery" ? `?open=${name}` : `?file=${name}`;
}

/** The values that differ between two texts, if nothing else does: `restitution=0.5`. */
export function changes(before: { text: string; numbers: readonly TextNumber[] }, after: { text: string; numbers: readonly TextNumber[] }): string[] | null {
  const [a, b] = [parts(before), parts(after)];
  if (a.frame !== b.frame) return null;
  return b.values.filter((it, k) => it.value !== a.values[k]?.value).map((it) => `${it.name}=${it.value}`);
}

/** A text as the values that settings can replace, and all that stands around them. */
function parts({ text, numbers }: { text: string; numbers: readonly TextNumber[] }): { frame: string; values: { name: string; value: string }[] } {
  const owned = numbers.flatMap((it) => (it.owned === null ? [] : [it.owned]));
  const distinct = owned.filter((it, k) => owned.findIndex((other) => other.start === it.start) === k).sort((a, b) => a.start - b.start);
  let [frame, end] = ["", 0];
  for (const it of distinct) {
    frame += `${text.slice(end, it.start)}\u0000${it.name}\u0000`;
    end = it.end;
  }
  return { frame: frame + text.slice(end), values: distinct.map((it) => ({ name: it.name, value: text.slice(it.start, it.end).replace(/\s+/g, " ").trim() })) };
}

/** A link to what is on the page. `base` is the text as it was opened. */
export async function link(lab: Lab, base: { text: string; numbers: readonly TextNumber[] } | null, shown: unknown): Promise<{ url: string; named: boolean }> {
  const url = new URL(location.href);
  url.search = "";
  url.hash = "";
  const query: string[] = [];
  const add = (key: string, value: string) => query.push(`${key}=${encodeURIComponent(value).replaceAll("%3D", "=").replaceAll("%2C", ",").replaceAll("%20", "+")}`);
  const origin = lab.origin.value;
  const changed = base === null || lab.checked.value === null ? null : changes(base, { text: lab.text.value, numbers: lab.checked.value.numbers });
  const named = origin.from === "gallery" && (changed !== null || lab.text.value === lab.saved.value);
  if (named) add("open", origin.name);
  const own = named ? (changed ?? []) : [];
  const replaced = new Set(own.map((it) => it.slice(0, it.indexOf("="))));
  for (const setting of [...lab.settings.value.filter((it) => !replaced.has(it.slice(0, it.indexOf("=")))), ...own]) add("set", setting);
  if (lab.simulation.value !== null) add("simulation", lab.simulation.value);
  url.search = query.join("&");
  const hash = named ? [] : [`text=${await pack(lab.text.value)}`];
  if (shown !== null) hash.push(`show=${await pack(JSON.stringify(shown))}`);
  url.hash = hash.join("&");
  return { url: url.href, named };
}
