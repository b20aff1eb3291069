import type { FindingsByPlace } from './finding.ts';

/**
 * The new findings, reusing the previous arrays of fields whose findings are equal; the previous map if nothing has
 * changed.
 */
export function reuseUnchangedFindings(
  before: FindingsByPlace,
  after: FindingsByPlace,
): FindingsByPlace {
  const reused = new Map(
    [...after].map(([place, now]) => {
      const was = before.get(place);
      return [place, was && JSON.stringify(was) === JSON.stringify(now) ? was : now];
    }),
  );
  const isSame =
    reused.size === before.size && [...reused].every(([p, all]) => before.get(p) === all);
  return isSame ? before : reused;
}
