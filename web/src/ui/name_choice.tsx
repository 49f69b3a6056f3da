// A choice of one name of many, in natural order: b2 before b10. Few names are a list; of thousands only those exist that fit what is typed.
import { useSignal } from "@preact/signals";
import { useId, useMemo } from "preact/hooks";

/** Up to so many names are a plain list. */
const MAX_LISTED = 200;
/** Names that are offered of more. */
const MAX_OFFERED = 50;

const collator = new Intl.Collator("en", { numeric: true });

/** Things with names, in the order in which people count. */
export function inNaturalOrder<Named extends { readonly name: string }>(all: readonly Named[]): Named[] {
  return [...all].sort((a, b) => collator.compare(a.name, b.name));
}

interface Props {
  label: string;
  names: readonly string[];
  /** What can be chosen beside the names, with what it is called. */
  other: { readonly value: string; readonly label: string };
  value: string;
  choose: (name: string) => void;
}

export function NameChoice({ label, names, other, value, choose }: Props) {
  const sorted = useMemo(() => [...names].sort(collator.compare), [names]);
  const typed = useSignal("");
  const id = useId();
  if (sorted.length <= MAX_LISTED) {
    return (
      <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value={other.value}>{other.label}</option>
        {sorted.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    );
  }
  const offered = sorted.filter((name) => name.includes(typed.value)).slice(0, MAX_OFFERED);
  const take = (text: string) => {
    if (text === other.label || text === "") choose(other.value);
    else if (sorted.includes(text)) choose(text);
  };
  return (
    <>
      <input type="text" list={id} aria-label={label} value={value === other.value ? other.label : value} onInput={(event) => (typed.value = event.currentTarget.value)} onChange={(event) => take(event.currentTarget.value.trim())} />
      <datalist id={id}>
        {[other.label, ...offered].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
