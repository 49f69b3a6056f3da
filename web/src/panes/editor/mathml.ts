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
  return made?.localName === "math" ? made : null;
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
