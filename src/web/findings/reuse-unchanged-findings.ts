import type { FindingsByPath } from './finding.ts';

/**
 * The new findings, reusing the previous arrays of fields whose findings are equal; the previous map if nothing has
 * changed.
 */
export function reuseUnchangedFindings(
  before: FindingsByPath,
  after: FindingsByPath,
): FindingsByPath {
  const reused = new Map(
    [...after].map(([path, now]) => {
      const was = before.get(path);
      return [path, was && JSON.stringify(was) === JSON.stringify(now) ? was : now];
    }),
  );
  const isSame =
    reused.size === before.size && [...reused].every(([p, all]) => before.get(p) === all);
  return isSame ? before : reused;
}
