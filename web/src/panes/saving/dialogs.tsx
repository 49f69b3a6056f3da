// Saving, as far as it needs the whole page: the file is watched, unsaved text is kept, dialogs ask.
import { useEffect } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { draftsShown } from "../../lab/panels.ts";
import { keepUnsaved } from "../../lab/saving/unsaved.ts";
import { watchFile } from "../../lab/saving/watch.ts";
import { ConflictDialog } from "./conflict.tsx";
import { DraftsDialog } from "./drafts.tsx";
import "./saving.css";

export function SavingDialogs({ lab }: { lab: Lab }) {
  useEffect(() => {
    const ends = [keepUnsaved(lab), watchFile(lab)];
    return () => {
      for (const end of ends) end();
    };
  }, [lab]);
  const conflict = lab.file.conflict.value;
  return (
    <>
      {conflict !== null && <ConflictDialog lab={lab} conflict={conflict} />}
      {draftsShown.value && <DraftsDialog lab={lab} close={() => (draftsShown.value = false)} />}
    </>
  );
}
