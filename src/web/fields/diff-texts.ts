/** Two texts cut where they differ: `start` and `end` are common to both. */
export interface TextDiff {
  readonly start: string;
  readonly before: string;
  readonly after: string;
  readonly end: string;
}

/** Finds what two texts have in common at their start and end; never cuts a character in two. */
export function diffTexts(before: string, after: string): TextDiff {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  if (isHighSurrogate(before.charCodeAt(start - 1))) start--;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  if (end > 0 && isLowSurrogate(before.charCodeAt(before.length - end))) end--;
  return {
    start: before.slice(0, start),
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
    end: before.slice(before.length - end),
  };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
