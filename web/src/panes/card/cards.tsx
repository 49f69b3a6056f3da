// Cards that float over the world: of the chosen event, and of the selected object. Nothing selected: no card. Where there is room for
// one only, that of the event covers the other.
import type { Lab } from "../../lab/lab.ts";
import { isCompact } from "../../lab/layout.ts";
import "./cards.css";
import { EventCard } from "./event_card.tsx";
import { SelectionCard } from "./selection_card.tsx";

export function Cards({ lab }: { lab: Lab }) {
  return (
    <div class="cards-over">
      {!(isCompact.value && lab.event.value !== null) && <SelectionCard lab={lab} />}
      <EventCard lab={lab} />
    </div>
  );
}
