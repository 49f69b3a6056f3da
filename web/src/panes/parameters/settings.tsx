// Values that were set from outside, by a link or on the command line: they hold whatever the text says, until they are written
// into it or taken away.
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/widgets.tsx";
import { documentOf } from "../editor/document.ts";

export function Settings({ lab }: { lab: Lab }) {
  const settings = lab.settings.value;
  if (settings.length === 0) return null;
  return (
    <section class="settings" aria-label={t("parameters.settings")}>
      <p class="quiet">{t("parameters.settings_why")}</p>
      <ul>
        {settings.map((setting) => (
          <Setting key={setting} lab={lab} setting={setting} />
        ))}
      </ul>
    </section>
  );
}

function Setting({ lab, setting }: { lab: Lab; setting: string }) {
  const experiment = documentOf(lab);
  const cut = setting.indexOf("=");
  const name = setting.slice(0, cut).trim();
  const value = setting.slice(cut + 1).trim();
  const owned = experiment.numbers.value.find((it) => it.owned?.name === name)?.owned ?? null;
  const remove = () => lab.set(lab.settings.value.filter((it) => it !== setting));
  const write = () => {
    if (owned === null) return;
    experiment.change(owned.start, owned.end, value);
    remove();
  };
  return (
    <li class="setting">
      <code>
        {name} = {value}
      </code>
      <button type="button" disabled={owned === null} title={owned === null ? t("parameters.cannot_write", { name }) : t("parameters.write_title", { name })} onClick={write}>
        <Icon name="check" /> {t("parameters.write")}
      </button>
      <IconButton icon="close" label={t("parameters.remove", { name })} onClick={remove} />
    </li>
  );
}
