// All experiments with a picture, what they are about and what they measure; those of the user's folder first.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { draftsShown } from "../../lab/panels.ts";
import { nameOf } from "../../lab/saving/file.ts";
import { replaceText } from "../../lab/saving/unsaved.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";
import { Dialog } from "../../ui/widgets.tsx";
import { type LibraryEntry, MAX_TEXT_BYTES, type Reply } from "../../wire/types.ts";
import { isText } from "../share/pack.ts";
import { GROUPS, listed, titleOf } from "./catalogue.ts";
import { Thumbnail } from "./thumbnail.tsx";

type Preview = Extract<Reply, { type: "previewed" }>;

/** Pictures that were made already, by where they come from. */
const previews = new Map<string, Promise<Preview | null>>();
/** One picture after the other: the engine has better things to do. */
let queue: Promise<unknown> = Promise.resolve();

function preview(lab: Lab, entry: LibraryEntry): Promise<Preview | null> {
  const key = JSON.stringify(entry.origin);
  let made = previews.get(key);
  if (made === undefined) {
    made = queue.then(() => lab.client.request({ type: "preview", origin: entry.origin })).then((it) => it as Preview, () => null);
    queue = made;
    // Files of the folder change; the gallery does not.
    if (entry.origin.from === "gallery") previews.set(key, made);
  }
  return made;
}

/** Files of the user first, then the gallery in the order of its catalogue; what that does not know comes last. */
function grouped(found: readonly LibraryEntry[], mine: string): { title: string; list: LibraryEntry[] }[] {
  const ofGallery = new Map(found.flatMap((it) => (it.origin.from === "gallery" ? [[it.name, it] as const] : [])));
  const inOrder = GROUPS.map(({ group, experiments }) => ({ title: t(`gallery.group_${group}`), list: experiments.flatMap(({ name }) => ofGallery.get(name) ?? []) }));
  const groups = [
    { title: mine, list: found.filter((it) => it.origin.from === "folder") },
    ...inOrder,
    { title: t("gallery.theirs"), list: [...ofGallery.values()].filter((it) => listed(it.name) === null) },
  ];
  return groups.filter((it) => it.list.length > 0);
}

export function Browse({ lab, close }: { lab: Lab; close: () => void }) {
  const entries = useSignal<readonly LibraryEntry[]>([]);
  const search = useSignal("");
  const why = useSignal("");
  const wanted = useSignal<(() => void) | null>(null);
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => {
    lab.client
      .request({ type: "library" })
      .then((answer) => (entries.value = (answer as Extract<Reply, { type: "library" }>).entries))
      .catch((error: Error) => (why.value = error.message));
  }, [lab]);
  /** Does something that replaces the text. The user is asked only if the text cannot be kept as a draft. */
  const replacing = (run: () => Promise<void>) => {
    const told = (error: Error) => {
      wanted.value = null;
      why.value = error.message;
    };
    replaceText(lab, run)
      .then((replaced) => {
        if (!replaced) wanted.value = () => void run().catch(told);
      })
      .catch(told);
  };
  const open = async (entry: LibraryEntry) => {
    await lab.openFrom(entry.origin);
    close();
  };
  const load = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    if (chosen.size > MAX_TEXT_BYTES) {
      why.value = t("gallery.too_long", { size: MAX_TEXT_BYTES >> 20 });
      return;
    }
    const text = await chosen.text();
    if (!isText(text)) {
      why.value = t("gallery.no_text");
      return;
    }
    lab.open({ from: "page" }, text);
    close();
  };
  const showDrafts = () => {
    close();
    draftsShown.value = true;
  };
  const words = search.value.toLowerCase().split(/\s+/);
  const found = entries.value.filter((it) => words.every((word) => `${it.name} ${titleOf(it.origin)} ${it.summary} ${it.measures.join(" ")}`.toLowerCase().includes(word)));
  const groups = grouped(found, t("gallery.mine", { folder: lab.folder.value ?? "" }));
  return (
    <Dialog title={t("gallery.title")} close={close} class="browse">
      {wanted.value === null ? (
        <>
          <div class="browse-tools">
            <input type="search" aria-label={t("gallery.search")} placeholder={t("gallery.search")} value={search.value} onInput={(event) => (search.value = event.currentTarget.value)} />
            <button type="button" onClick={() => file.current?.click()}>
              <Icon name="open" /> {t("gallery.load")}
            </button>
            <button type="button" onClick={showDrafts}>
              <Icon name="undo" /> {t("gallery.drafts")}
            </button>
            <input ref={file} type="file" accept=".lab,text/plain" hidden onChange={(event) => replacing(load.bind(null, event.currentTarget.files?.[0]))} />
          </div>
          {why.value !== "" && (
            <p class="problem" role="alert">
              {why.value}
            </p>
          )}
          {groups.map((group) => (
            <section key={group.title} aria-label={group.title}>
              <h3>{group.title}</h3>
              <ul class="cards">
                {group.list.map((entry) => (
                  <Card key={JSON.stringify(entry.origin)} lab={lab} entry={entry} open={() => replacing(() => open(entry))} />
                ))}
              </ul>
            </section>
          ))}
          {entries.value.length > 0 && groups.length === 0 && <p class="empty">{t("gallery.none")}</p>}
        </>
      ) : (
        <Unsaved lab={lab} discard={wanted.value} stay={() => (wanted.value = null)} />
      )}
    </Dialog>
  );
}

function Unsaved({ lab, discard, stay }: { lab: Lab; discard: () => void; stay: () => void }) {
  return (
    <div class="unsaved">
      <h3>{t("gallery.unsaved_title")}</h3>
      <p>{t("gallery.unsaved", { name: nameOf(lab.origin.value) || t("gallery.untitled") })}</p>
      <div class="buttons">
        <button type="button" onClick={discard}>
          {t("gallery.discard")}
        </button>
        <button type="button" class="primary" onClick={stay}>
          {t("gallery.back")}
        </button>
      </div>
    </div>
  );
}

function Card({ lab, entry, open }: { lab: Lab; entry: LibraryEntry; open: () => void }) {
  const picture = useSignal<Preview | null>(null);
  // Who points at a picture sees it move, unless the system asks for no motion.
  const live = useSignal(false);
  const liven = () => (live.value = !matchMedia("(prefers-reduced-motion: reduce)").matches);
  const title = titleOf(entry.origin);
  const known = entry.origin.from === "gallery" ? listed(entry.name) : null;
  const box = useRef<HTMLLIElement>(null);
  // A picture is made when its card comes into sight.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new IntersectionObserver((seen) => {
      if (!seen.some((it) => it.isIntersecting)) return;
      observer.disconnect();
      void preview(lab, entry).then((made) => (picture.value = made));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [lab, entry]);
  return (
    <li ref={box} class="card" onPointerEnter={liven} onPointerLeave={() => (live.value = false)} onFocusIn={liven} onFocusOut={() => (live.value = false)}>
      <button type="button" aria-label={t("gallery.choose", { name: title })} onClick={open}>
        <span class="picture">{picture.value !== null && <Thumbnail scene={picture.value.scene} paths={picture.value.paths} live={live.value} />}</span>
        <strong>{title}</strong>
      </button>
      {known !== null && <p class="quiet">{t(`gallery.level_${known.level}`)}</p>}
      <p>{entry.summary}</p>
      {entry.theory !== "" && (
        <details>
          <summary>{t("gallery.theory")}</summary>
          <pre>{entry.theory}</pre>
          {entry.measures.length > 0 && <p class="quiet">{t("gallery.measures", { names: entry.measures.join(", ") })}</p>}
        </details>
      )}
    </li>
  );
}
