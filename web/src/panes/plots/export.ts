// What a plot shows, as a table for other programs and as a picture for a report.
import { niceSteps, short } from "../../lab/format.ts";
import { type Line, type Range, rangeOf } from "./chart.tsx";

/** The points in sight: a row for each time, an empty cell where a series has no point. Numbers are exact. */
export function csv(lines: readonly Line[], xName: string, overTime: boolean, zoom: Range | null): string {
  const shown = lines.filter((it) => !it.ghost);
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = [...(overTime ? [] : ["t"]), overTime ? "t" : xName, ...shown.map((it) => it.label)].map(quote).join(",");
  const cell = (value: number) => (Number.isFinite(value) ? String(value) : "");
  const inSight = (x: number) => zoom === null || (x >= zoom.from && x <= zoom.to);
  if (!overTime) {
    const first = shown[0];
    const rows = [...(first?.times ?? [])].map((time, k) => [time, first?.xs[k] ?? Number.NaN, ...shown.map((it) => it.values[k] ?? Number.NaN)]);
    return [head, ...rows.filter((row) => inSight(row[1] as number)).map((row) => row.map(cell).join(","))].join("\n") + "\n";
  }
  // An event's time stands twice in a series: the second point goes to a second row of that time.
  const rows = new Map<string, number[]>();
  shown.forEach((it, column) => {
    let [before, count] = [Number.NaN, 0];
    it.times.forEach((time, k) => {
      count = time === before ? count + 1 : 0;
      before = time;
      if (!inSight(time)) return;
      const key = `${time} ${count}`;
      const row = rows.get(key) ?? [time, ...shown.map(() => Number.NaN)];
      row[column + 1] = it.values[k] as number;
      rows.set(key, row);
    });
  });
  const sorted = [...rows.entries()].sort(([a, p], [b, q]) => (p[0] as number) - (q[0] as number) || a.localeCompare(b));
  return [head, ...sorted.map(([, row]) => row.map(cell).join(","))].join("\n") + "\n";
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [800, 480, 80, 20, 20, 60];

/** A picture of the plot that stands alone: black axes on white, a legend, vectors throughout. */
export function svg(lines: readonly Line[], xName: string, zoom: Range | null, color: (css: string) => string): string {
  const shown = lines.filter((it) => !it.ghost);
  const x = zoom ?? rangeOf(shown.map((it) => it.xs), 0);
  const y = rangeOf(shown.map((it) => it.values));
  const left = (value: number) => LEFT + ((value - x.from) / (x.to - x.from || 1)) * (WIDTH - LEFT - RIGHT);
  const top = (value: number) => HEIGHT - BOTTOM - ((value - y.from) / (y.to - y.from || 1)) * (HEIGHT - TOP - BOTTOM);
  const text = (at: [number, number], anchor: string, words: string, fill = "#222") =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${escape(words)}</text>`;
  const axes = [
    ...niceSteps(x.from, x.to, 8).map((it) => `<path d="M${left(it).toFixed(1)} ${TOP}V${HEIGHT - BOTTOM}" stroke="#ddd"/>${text([left(it), HEIGHT - BOTTOM + 18], "middle", short(it))}`),
    ...niceSteps(y.from, y.to, 6).map((it) => `<path d="M${LEFT} ${top(it).toFixed(1)}H${WIDTH - RIGHT}" stroke="#ddd"/>${text([LEFT - 8, top(it) + 4], "end", short(it))}`),
    `<rect x="${LEFT}" y="${TOP}" width="${WIDTH - LEFT - RIGHT}" height="${HEIGHT - TOP - BOTTOM}" fill="none" stroke="#222"/>`,
    text([(LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 36], "middle", xName),
  ];
  const drawn = shown.map((it, k) => {
    let path = "";
    let drawing = false;
    it.xs.forEach((at, point) => {
      const value = it.values[point] as number;
      if (!Number.isFinite(at) || !Number.isFinite(value)) drawing = false;
      else {
        path += `${drawing ? "L" : "M"}${left(at).toFixed(2)} ${top(value).toFixed(2)}`;
        drawing = true;
      }
    });
    const stroke = color(it.color);
    const dash = it.dash.length > 0 ? ` stroke-dasharray="${it.dash.join(" ")}"` : "";
    return `<path d="${path}" clip-path="url(#c)" fill="none" stroke="${stroke}" stroke-width="1.75"${dash}/>${text([LEFT + 10 + (k % 4) * 170, HEIGHT - 8 - 14 * Math.floor(k / 4)], "start", it.label, stroke)}`;
  });
  const clip = `<clipPath id="c"><rect x="${LEFT}" y="${TOP}" width="${WIDTH - LEFT - RIGHT}" height="${HEIGHT - TOP - BOTTOM}"/></clipPath>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13"><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>${clip}${axes.join("")}${drawn.join("")}</svg>\n`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Gives the user a file. */
export function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
