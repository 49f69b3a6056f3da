// Every word the page says, by key. A translation is another folder beside `en` with the same keys; nothing else changes.
import { en } from "./en/index.ts";

export type Key = keyof typeof en;
type Values = Record<string, string | number>;

const rules = new Intl.PluralRules("en");

/** The text of a key, with `{name}` replaced by values. A text in the form `one|many` is chosen by the value `count`. */
export function t(key: Key, values: Values = {}): string {
  const forms = en[key].split("|");
  const count = values["count"];
  const form = forms.length > 1 && rules.select(Number(count)) !== "one" ? forms[1] : forms[0];
  return (form as string).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
