// A lab and a browser for each test: the real binary on a free port, Chromium from the system.
//
//   GEDANKEN   the binary; else ../target/checked/gedanken
//   PAGE       a folder to serve the page from, instead of the one inside the binary
//   CHROMIUM   the browser; else the first that is found
//   SHOTS      a folder for screenshots; none are made without it
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { delimiter, join, resolve } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { Lab } from "../src/lab/lab.ts";

declare global {
  interface Window {
    lab: Lab;
  }
}

export interface Visit {
  page: Page;
  /** Where the lab is. */
  url: string;
  /** The folder that it saves to. */
  folder: string;
  /** What the page complained about. */
  complaints: string[];
  /** The engine. */
  lab: ChildProcess;
}

/** The folder in which labs keep their secrets: not that of whoever runs the tests. */
export const session = mkdtempSync(join(tmpdir(), "gedanken-session-"));

/** The secret of a lab, as a program finds it. */
export function secretOf(url: string): string {
  return readFileSync(join(session, "gedanken", `${new URL(url).port}.secret`), "utf8").trim();
}

export const binary = resolve(process.env["GEDANKEN"] ?? join(import.meta.dirname, "../../../target/checked/gedanken"));

function browserPath(): string {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  const path = process.env["CHROMIUM"] ?? found;
  if (path === undefined) throw new Error("there is no Chromium: install the package chromium, or set CHROMIUM");
  return path;
}

/** The experiment that most tests are about: its laws have closed forms. */
const EXPERIMENT = "bouncing_ball";

/** Starts a lab in a folder, with an experiment of the gallery; its first line says where it is. `null` is what a visitor sees first. */
export async function startLab(folder: string, more: readonly string[] = [], experiment: string | null = EXPERIMENT): Promise<{ process: ChildProcess; url: string }> {
  const page = process.env["PAGE"] === undefined ? [] : ["--page", resolve(process.env["PAGE"])];
  const port = more.includes("--port") ? [] : ["--port", "0"];
  const lab = spawn(binary, ["lab", ...(experiment === null ? [] : [experiment]), "--no-open", ...port, ...page, ...more], { cwd: folder, stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, XDG_RUNTIME_DIR: session } });
  const url = await new Promise<string>((found, reject) => {
    let said = "";
    lab.stdout.on("data", (data: Buffer) => {
      said += data.toString();
      const address = /http:\/\/\S+/.exec(said);
      if (address !== null) found(address[0]);
    });
    lab.once("error", reject);
    lab.once("exit", (code) => reject(new Error(`the lab ended with ${code}: ${said}`)));
    setTimeout(() => reject(new Error(`waited ${TIME_LIMIT / 1000} s in vain for the address of the lab: ${said}`)), TIME_LIMIT).unref();
  });
  return { process: lab, url };
}

/** A test that `make test-long` runs, and no change waits for. */
export const longTest = process.env["LONG"] === undefined ? test.skip : test;

/** With graphics in software, as there may be no card; and with none at all, which is what takes least time. */
const GRAPHICS = { software: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"], none: ["--disable-gpu", "--disable-3d-apis"] };
type Graphics = keyof typeof GRAPHICS;

/** What the tests of a file have that do not say it. */
let standard: Graphics = "software";

/** To be called by a file that looks at no picture of the world: drawing it in software takes more than everything else. */
export function withoutPictures(): void {
  if (process.env["SHOTS"] === undefined) standard = "none";
}

/** Milliseconds from one picture to the next, unless a test wants it `smooth`. The page plays as it opens, and pictures in software are dear. */
const FRAME_MS = 80;

/** Makes a page draw seldom. Time passes on it as everywhere. */
function drawSeldom(frame: number): void {
  window.requestAnimationFrame = (then) => window.setTimeout(() => then(performance.now()), frame);
  window.cancelAnimationFrame = (request) => window.clearTimeout(request);
}

const browsers = new Map<Graphics, Promise<Browser>>();

function theBrowser(graphics: Graphics): Promise<Browser> {
  let browser = browsers.get(graphics);
  if (browser === undefined) {
    browser = chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox", ...GRAPHICS[graphics]] });
    browsers.set(graphics, browser);
  }
  return browser;
}

/** To be called when all tests of a file are done: `after(closeBrowser)`. */
export async function closeBrowser(): Promise<void> {
  for (const browser of browsers.values()) await (await browser).close();
  browsers.clear();
}

/** Visits a lab of its own with a new browser window. Fails if the page complained at its console. The browser has shown the secret, unless it is to be `unknown`. */
export async function visit(test: (visit: Visit) => Promise<void>, options: BrowserContextOptions & { path?: string; arguments?: string[]; experiment?: string | null; graphics?: Graphics; unknown?: boolean; smooth?: boolean } = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gedanken-page-"));
  const { process: lab, url } = await startLab(folder, options.arguments, options.experiment);
  const context = await (await theBrowser(options.graphics ?? standard)).newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
  try {
    if (options.unknown !== true) await context.addCookies([{ name: `gedanken-${new URL(url).port}`, value: secretOf(url), url, httpOnly: true, sameSite: "Lax" }]);
    const page = await context.newPage();
    if (options.smooth !== true && process.env["SHOTS"] === undefined) await page.addInitScript(drawSeldom, FRAME_MS);
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.setDefaultTimeout(TIME_LIMIT);
    await page.goto(new URL(options.path ?? "/", url).href);
    await test({ page, url, folder, complaints, lab });
    if (complaints.length > 0) throw new Error(`the page complained:\n${complaints.join("\n")}`);
  } finally {
    await context.close();
    lab.kill();
  }
}

/** Longest wait for something on the page, in milliseconds. */
const TIME_LIMIT = 20_000;

/** Waits until a function holds in the page. Fails after `TIME_LIMIT` and says what was waited for. */
export async function until<A>(page: Page, what: string, holds: (argument: A) => unknown, argument?: A): Promise<void> {
  try {
    // The types of playwright bind the argument more tightly than a generic function can say.
    await page.waitForFunction(holds as (argument: unknown) => unknown, argument as unknown);
  } catch (error) {
    throw new Error(`waited ${TIME_LIMIT / 1000} s in vain for ${what}`, { cause: error });
  }
}

/** Waits until something holds that is found out step by step. Fails after `TIME_LIMIT` and says what was waited for. */
export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + TIME_LIMIT;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${TIME_LIMIT / 1000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until a run has ended and is on screen. */
export async function settled(page: Page): Promise<void> {
  await until(page, "the end of the run on screen", () => window.lab?.run.value?.ended.value != null && !window.lab.busy.value);
}

/** Keeps a picture of the page, to be looked at. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What keeps people out who do not see, or do not use a mouse. */
export async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } };
    return (await axe.run()).violations.filter((it) => it.impact === "serious" || it.impact === "critical").map((it) => `${it.id}: ${it.nodes.map((node) => node.html).join(" ")}`);
  });
  return found;
}

/** Brings a tab of the results to the front, as a visitor does. */
export async function results(page: Page, name: string | RegExp): Promise<void> {
  const tab = page.getByRole("region", { name: "Results" }).getByRole("tab", { name });
  if ((await tab.getAttribute("aria-selected")) !== "true") await tab.click();
}
