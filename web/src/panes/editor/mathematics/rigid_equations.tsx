// The equations of motion of a world of rigid bodies, which no text writes: Newton and Euler with the laws of the experiment by name, and
// what contacts and joints ask for, as its solver takes them.
import type { Lab } from "../../../lab/lab.ts";
import { hasUnits } from "../../../lab/units.ts";
import { t } from "../../../strings/index.ts";
import type { Scene } from "../../../wire/types.ts";
import { MathLine } from "./math_line.tsx";

const row = (inner: string) => `<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">${inner}</math>`;
const mi = (name: string) => `<mi>${name}</mi>`;
const dot = (name: string) => `<mover accent="true"><mi>${name}</mi><mo>˙</mo></mover>`;
const named = (name: string) => `<mi mathvariant="normal">${name.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</mi>`;
const sub = (base: string, index: string) => `<msub>${base}<mrow>${index}</mrow></msub>`;
const op = (sign: string) => `<mo>${sign}</mo>`;
/** Laws that are named in an equation; of more there is a sum. */
const MAX_LAWS = 3;

interface Line {
  key: "newton" | "euler" | "joints" | "contacts" | "friction" | "soft" | "stationary";
  mathml: string;
}

/** Equations of a scene, as far as they are its own: what does not act has no term. */
export function equationsOf(scene: Scene): Line[] {
  const has = (name: string) => scene.quantities.some((it) => it.owner === "world" && it.name === name && !it.constant);
  const laws = scene.quantities.filter((it) => it.owner === "world" && /^work_of_/.test(it.name) && it.name !== "work_of_gravity").map((it) => it.name.replace("work_of_", ""));
  const [isSoft, isVariational] = [has("certificate"), has("stationarity")];
  const forces = laws.length > MAX_LAWS ? op("+") + `<munder><mo movablelimits="false">∑</mo>${named("laws")}</munder>` + sub(mi("F"), mi("k")) : laws.map((it) => op("+") + sub(mi("F"), named(it))).join("");
  const torques = laws.length === 0 ? "" : `<munder><mo movablelimits="false">∑</mo>${named("laws")}</munder>` + sub(mi("τ"), mi("k")) + op("+");
  const reaction = `<msup>${mi("J")}<mi mathvariant="normal">T</mi></msup>${op("⁢")}${mi("λ")}`;
  const lines: Line[] = [
    { key: "newton", mathml: row(`${mi("m")}${op("⁢")}${dot("v")}${op("=")}${mi("m")}${op("⁢")}${mi("g")}${forces}${op("+")}${sub(`<mrow><mo fence="true" form="prefix">(</mo>${reaction}<mo fence="true" form="postfix">)</mo></mrow>`, mi("v"))}`) },
    { key: "euler", mathml: row(`${mi("I")}${op("⁢")}${dot("ω")}${op("+")}${mi("ω")}${op("×")}${mi("I")}${op("⁢")}${mi("ω")}${op("=")}${torques}${sub(`<mrow><mo fence="true" form="prefix">(</mo>${reaction}<mo fence="true" form="postfix">)</mo></mrow>`, mi("ω"))}`) },
  ];
  if (isSoft) {
    lines.push({ key: "soft", mathml: row(`${dot("v")}${op("=")}<munder><mrow><mi mathvariant="normal">arg min</mi></mrow>${mi("a")}</munder><mfrac><mn>1</mn><mn>2</mn></mfrac><msubsup><mrow><mo fence="true" form="prefix">‖</mo>${mi("a")}${op("−")}${sub(mi("a"), mn0())}<mo fence="true" form="postfix">‖</mo></mrow>${mi("M")}<mn>2</mn></msubsup>${op("+")}${mi("s")}<mrow><mo fence="true" form="prefix">(</mo>${mi("J")}${op("⁢")}${mi("a")}${op("−")}${sub(mi("a"), named("ref"))}<mo fence="true" form="postfix">)</mo></mrow>`) });
    return lines;
  }
  if (has("joint_error")) lines.push({ key: "joints", mathml: row(`${sub(mi("J"), named("joint"))}${op("⁢")}${mi("u")}${op("=")}<mn>0</mn>`) });
  lines.push({ key: "contacts", mathml: row(`<mn>0</mn>${op("≤")}${sub(mi("u"), mi("n"))}${op("⊥")}${sub(mi("λ"), mi("n"))}${op("≥")}<mn>0</mn>`) });
  lines.push({ key: "friction", mathml: row(`<mrow><mo fence="true" form="prefix">|</mo>${sub(mi("λ"), mi("t"))}<mo fence="true" form="postfix">|</mo></mrow>${op("≤")}${mi("μ")}${op("⁢")}${sub(mi("λ"), mi("n"))}`) });
  if (isVariational) lines.push({ key: "stationary", mathml: row(`${mi("δ")}<munder><mo movablelimits="false">∑</mo>${mi("k")}</munder>${sub(mi("L"), named("d"))}<mrow><mo fence="true" form="prefix">(</mo>${sub(mi("q"), mi("k"))}${op(",")}${sub(mi("q"), `${mi("k")}${op("+")}<mn>1</mn>`)}<mo fence="true" form="postfix">)</mo></mrow>${op("=")}<mn>0</mn>`) });
  return lines;
}

function mn0(): string {
  return "<mn>0</mn>";
}

export function RigidEquations({ lab }: { lab: Lab }) {
  const scene = lab.run.value?.scene;
  if (scene === undefined || !hasUnits(scene)) return null;
  return (
    <section class="law-block" aria-label={t("editor.rigid_equations")}>
      <h2>{t("editor.rigid_equations")}</h2>
      {equationsOf(scene).map(({ key, mathml }) => (
        <div key={key} class="rigid-equation">
          <p class="quiet">{t(`editor.rigid_${key}`)}</p>
          <MathLine mathml={mathml} text={key} label={t(`editor.rigid_${key}`)} block="" point={() => {}} breaks="narrow" />
        </div>
      ))}
    </section>
  );
}
