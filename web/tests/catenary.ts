// The lowest point of a hanging rope, by bisection on the force and not as the page computes it.

/** Height of the lowest point of a rope of a length from the origin to a point at a distance `across` and a height `rise`. */
export function catenary(across: number, rise: number, length: number): number {
  // A catenary y = a cosh((x - m) / a) - a cosh(m / a): for every a the m that ends at the rise is found, then the a of the length.
  const middle = (a: number) => bisect((m) => a * (Math.cosh((across - m) / a) - Math.cosh(m / a)) - rise, -50 * across, 50 * across);
  const long = (a: number) => {
    const m = middle(a);
    return a * (Math.sinh((across - m) / a) + Math.sinh(m / a));
  };
  const a = bisect((a) => long(a) - length, 0.02 * length, 50 * length);
  const m = middle(a);
  return m < 0 || m > across ? Math.min(0, rise) : a - a * Math.cosh(m / a);
}

function bisect(f: (x: number) => number, low: number, high: number): number {
  const sign = Math.sign(f(low)) || 1;
  let [from, to] = [low, high];
  for (let k = 0; k < 200; k++) {
    const middle = (from + to) / 2;
    if (Math.sign(f(middle)) === sign) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}
