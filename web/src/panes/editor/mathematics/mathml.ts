// Mathematics from the engine as elements of the page. Names of the user stand in it, so it is never taken as HTML: it is read
// as XML, and only elements and attributes that mathematics needs are made anew.
const MATHML = "http://www.w3.org/1998/Math/MathML";

const ELEMENTS = new Set(
  "math mrow mi mn mo mtext mspace ms mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd mstyle mpadded mphantom menclose".split(" "),
);
const ATTRIBUTES = new Set(
  "data-name class display mathvariant accent accentunder fence form stretchy separator symmetric lspace rspace width height depth minsize maxsize columnalign rowalign columnspan rowspan displaystyle scriptlevel linethickness movablelimits largeop".split(" "),
);

/** The `math` element of a formula; `null` if it is none. */
export function mathOf(source: string): MathMLElement | null {
  const { documentElement } = new DOMParser().parseFromString(source, "application/xml");
  const made = copy(documentElement);
  if (made?.localName !== "math") return null;
  for (const fence of made.querySelectorAll("mo[fence=true]")) if (fence.parentElement?.querySelector(TALL) === null) fence.setAttribute("stretchy", "false");
  return made;
}

/** What brackets grow around. Around anything else they stay as they are: Chromium takes a bracket that may grow for a wide one. */
const TALL = "mfrac, msqrt, mroot, mtable, munder, mover[accent=false], munderover";

/**
 * A formula as parts that can stand on several lines, since a browser breaks no line inside of mathematics: each but the first begins
 * with the sign of a term. Left sides are short, and so are zeros on the right: no line begins with `=`.
 */
export function partsOf(math: MathMLElement): MathMLElement[] {
  const parts: MathMLElement[] = [];
  let [depth, sign] = [0, ""];
  for (const piece of [...math.children].flatMap((it) => (it.localName === "mrow" ? [...it.children] : [it]))) {
    const text = piece.localName === "mo" ? (piece.textContent ?? "").trim() : "";
    const begins = depth === 0 && (text === "+" || text === "−") && sign !== "=";
    let part = parts.at(-1);
    if (part === undefined || (begins && part.childElementCount > 0)) {
      part = document.createElementNS(MATHML, "math") as MathMLElement;
      part.setAttribute("displaystyle", "true");
      parts.push(part);
      // At the beginning of a part a sign would be taken for that of a number.
      if (begins && parts.length > 1) piece.setAttribute("form", "infix");
    }
    if (piece.getAttribute("fence") === "true") depth += piece.getAttribute("form") === "prefix" ? 1 : -1;
    part.append(piece);
    sign = text;
  }
  return parts;
}

/** A formula as parts between which a line may end: before the sign of an operation, after an equals sign, a comma and an opening bracket. */
export function symbolsOf(math: MathMLElement): MathMLElement[] {
  const parts: MathMLElement[] = [];
  let ends = true;
  for (const piece of flat(math.cloneNode(true) as MathMLElement)) {
    const sign = piece.localName === "mo" ? (piece.textContent ?? "").trim() : "";
    const operates = /^[+−∗×·⋅*]$/.test(sign) && piece.getAttribute("form") !== "prefix";
    let part = parts.at(-1);
    if (part === undefined || ends || operates) {
      part = document.createElementNS(MATHML, "math") as MathMLElement;
      part.setAttribute("displaystyle", "true");
      parts.push(part);
      if (operates) piece.setAttribute("form", "infix");
    }
    part.append(piece);
    ends = sign === "=" || sign === "," || (piece.getAttribute("fence") === "true" && piece.getAttribute("form") === "prefix");
  }
  return parts;
}

/** The pieces of a formula. A row around something tall stays whole, for its brackets grow with what is between them. */
function flat(element: MathMLElement): MathMLElement[] {
  return [...element.children].flatMap((it) => (it.localName === "mrow" && it.querySelector(TALL) === null ? flat(it as MathMLElement) : [it as MathMLElement]));
}

function copy(element: Element): MathMLElement | null {
  if (element.namespaceURI !== MATHML || !ELEMENTS.has(element.localName)) return null;
  const made = document.createElementNS(MATHML, element.localName) as MathMLElement;
  for (const { name, value } of element.attributes) if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
  for (const child of element.childNodes) {
    const part = child instanceof Element ? copy(child) : child.nodeType === Node.TEXT_NODE ? document.createTextNode(child.nodeValue ?? "") : null;
    if (part !== null) made.append(part);
  }
  return made;
}

/** The symbol that an element of a formula belongs to. */
export function symbolAt(target: EventTarget | null): MathMLElement | null {
  const found = target instanceof Element ? target.closest("[data-name]") : null;
  return found instanceof MathMLElement ? found : null;
}
