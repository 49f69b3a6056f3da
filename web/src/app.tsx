// The frame of the page, the world first: laws to its left, time under it, results in a drawer below everything, values on request.
import { useEffect } from "preact/hooks";
import type { Lab } from "./lab/lab.ts";
import { drawerHeight, layout, lawsWidth, presenting, resultsShown, valuesShown } from "./lab/layout.ts";
import { SecretNotice } from "./panes/access/dialog.tsx";
import { Cards } from "./panes/card/cards.tsx";
import { EnergyBars } from "./panes/energy/bars.tsx";
import { followEnergies } from "./panes/energy/state.ts";
import { GalleryMenu } from "./panes/gallery/menu.tsx";
import { HelpOverlay } from "./panes/help/overlay.tsx";
import { Palette } from "./panes/palette/palette.tsx";
import { ProblemBar } from "./panes/problems/bar.tsx";
import { SavingDialogs } from "./panes/saving/dialogs.tsx";
import { FileNotice } from "./panes/saving/notice.tsx";
import { followAddress } from "./panes/share/address.ts";
import { ArrivalNotice } from "./panes/share/arrival_notice.tsx";
import { ShareMenu } from "./panes/share/menu.tsx";
import { Timeline } from "./panes/timeline/timeline.tsx";
import { Transport } from "./panes/timeline/transport.tsx";
import { Tour } from "./panes/tour/tour.tsx";
import { arrows } from "./panes/vectors/layer.ts";
import { ViewPane } from "./panes/view/pane.tsx";
import { Drawer } from "./shell/drawer.tsx";
import { startFresh } from "./shell/fresh_start.ts";
import { Laws } from "./shell/laws.tsx";
import { PresentButton, PresentedLaws } from "./shell/presentation.tsx";
import { followShown, shownOf, showNext } from "./shell/shown.ts";
import { SheetBar } from "./shell/sheet_bar.tsx";
import { Values } from "./shell/values.tsx";
import { t } from "./strings/index.ts";

const LAYERS = [arrows];

export function App({ lab }: { lab: Lab }) {
  useEffect(() => {
    let before = performance.now();
    let request = requestAnimationFrame(function tick(now) {
      lab.clock.advance(Math.min(0.1, (now - before) / 1000));
      before = now;
      request = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(request);
  }, [lab]);
  useEffect(() => {
    const ends = [startFresh(lab), followShown(lab), followAddress(lab, showNext), followEnergies(lab)];
    return () => {
      for (const end of ends) end();
    };
  }, [lab]);
  const { lawsFolded, inspector, sheet } = layout.value;
  const sizes = { "--laws": `${lawsWidth.value}rem`, "--inspector": `${inspector}rem`, "--drawer": `${drawerHeight.value}rem` };
  return (
    <div
      class="shell"
      style={sizes}
      data-laws={lawsFolded ? "folded" : "open"}
      data-drawer={resultsShown.value ? "open" : "closed"}
      data-sheet={sheet ?? "none"}
      data-presenting={presenting.value ? "" : undefined}
    >
      <header class="top">
        <h1>{t("shell.title")}</h1>
        <GalleryMenu lab={lab} />
        <ShareMenu lab={lab} shown={() => shownOf(lab)} />
        <span class="top-gap" />
        <PresentButton />
        <HelpOverlay lab={lab} />
      </header>
      <div class="notices">
        {!lab.connected.value && lab.access.value !== "stranger" && <p class="offline" role="alert">{t("shell.offline")}</p>}
        <SecretNotice lab={lab} />
        <ArrivalNotice lab={lab} />
        <FileNotice lab={lab} />
      </div>
      <section class="laws" aria-label={t("shell.laws")}>
        <Laws lab={lab} />
      </section>
      <main class="view" aria-label={t("shell.view")}>
        <ViewPane lab={lab} layers={LAYERS} />
        <EnergyBars lab={lab} />
        <Cards lab={lab} />
        <ProblemBar lab={lab} />
        {presenting.value && <PresentedLaws lab={lab} />}
      </main>
      {valuesShown.value && (
        <section class="values" aria-label={t("shell.values")}>
          <Values lab={lab} />
        </section>
      )}
      <section class="time" aria-label={t("shell.time")}>
        <Transport lab={lab} />
        <Timeline lab={lab} />
      </section>
      <section class="results" aria-label={t("shell.results")}>
        <Drawer lab={lab} />
      </section>
      <SheetBar />
      <Tour lab={lab} />
      <Palette lab={lab} />
      <Announcement lab={lab} />
      <SavingDialogs lab={lab} />
    </div>
  );
}

/** How long something is shown, in milliseconds. */
const NOTICE_MS = 5000;

function Announcement({ lab }: { lab: Lab }) {
  const { text, shown } = lab.announcement.value;
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => lab.announce(""), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [lab.announcement.value]);
  return (
    <div class={shown ? "said" : "unseen"} role="status" aria-live="polite">
      {text}
    </div>
  );
}
