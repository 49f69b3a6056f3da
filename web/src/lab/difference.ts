// The one change that makes a text of another.

export interface Difference {
  /** The part of the text before that is replaced. */
  from: number;
  to: number;
  insert: string;
}

/** What both begin and end with stays. */
export function difference(before: string, after: string): Difference {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
