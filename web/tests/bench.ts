// How quick the page is, on this machine and on loopback: from opening it to the first motion, from a slider to the new run, and
// how long a frame takes. Printed, never asserted: `make bench`.
import { closeBrowser, settled, visit } from "./harness.ts";

const ROUNDS = 5;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function print(what: string, milliseconds: number, aim: string): void {
  process.stdout.write(`${what.padEnd(60)} ${milliseconds.toFixed(1).padStart(8)} ms   ${aim}\n`);
}

const opened: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  await visit(async ({ page }) => {
    // Navigation began at time 0 of the page's own clock.
    opened.push(await page.evaluate(() => new Promise<number>((resolve) => {
      const look = () => (window.lab.clock.time.value > 0 ? resolve(performance.now()) : requestAnimationFrame(look));
      look();
    })));
  }, { smooth: true });
}
print("open to first motion", median(opened), "aim: 2000 ms");

// Software graphics take all processors for themselves; what the lab itself takes is seen without.
for (const graphics of ["none", "software"] as const) await visit(async ({ page }) => {
  await settled(page);
  const moved: number[] = [];
  for (let round = 0; round < 4 * ROUNDS; round++) {
    moved.push(
      await page.evaluate(
        (value) =>
          new Promise<number>((resolve) => {
            const { lab } = window;
            const [begin, before] = [performance.now(), lab.run.value];
            const look = () => (lab.run.value !== before && lab.run.value?.ended.value != null ? resolve(performance.now() - begin) : setTimeout(look, 0));
            lab.edit(lab.text.value.replace(/restitution = [\d.]+/, `restitution = ${value}`), true);
            look();
          }),
        (0.5 + 0.02 * round).toFixed(2),
      ),
    );
    await page.evaluate(() => window.lab.endDrag());
    await settled(page);
  }
  print(`slider to new run, bouncing ball, graphics: ${graphics}`, median(moved), "aim: 150 ms");
}, { graphics, smooth: true });

/** A text with many balls in the air. */
function rain(count: number): string {
  const side = Math.ceil(Math.sqrt(count));
  const objects = Array.from({ length: count }, (_, k) => {
    const place = [(k % side) * 1.5, Math.floor(k / side) * 1.5, 40];
    return `object { name = b${k} physical type = dynamic geometrical type = sphere attributes = { position = [${place.join(", ")}] size = 0.4 v = [0, 0, ${((k * 7) % 11) - 5}] } }`;
  });
  const names = objects.map((_, k) => `b${k}`).join(", ");
  return `world attributes { g = [0, 0, -1] }
${objects.join("\n")}
context { name = fall type = free fall functions = { v' = g position' = v } }
simulation { name = rain duration = 5 objects_involved = {${names}} contexts_involved = {fall} }`;
}

for (const count of [1, 100, 1000]) {
  await visit(async ({ page }) => {
    await settled(page);
    await page.evaluate((text) => window.lab.open({ from: "page" }, text), rain(count));
    await settled(page);
    const frames = await page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const times: number[] = [];
          const tick = (now: number) => (times.push(now), times.length > 60 ? resolve(times.slice(1).map((it, k) => it - (times[k] ?? it))) : requestAnimationFrame(tick));
          requestAnimationFrame(tick);
        }),
    );
    print(`a frame with ${count} bodies, software rendering`, median(frames), "");
  }, { smooth: true });
}
await closeBrowser();
