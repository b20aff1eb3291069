import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { compareCodePoints } from '#shared/values/code-points.ts';
import { type Fingerprint, fingerprint } from './fingerprint.ts';
import { similarTexts } from './similar-texts.ts';

/** A text in use, and the number of records that have it. */
export interface CountedText {
  readonly value: string;
  readonly count: number;
}

/** Texts that may mean the same thing. */
interface Cluster {
  /** the largest distance between two of their fingerprints; 0: the fingerprints are equal */
  readonly distance: number;
  /** most frequent first: the first is suggested as the correct one */
  readonly values: readonly CountedText[];
  /** of all values */
  readonly count: number;
}

interface Clusters {
  /** sorted by the number of records that a correction changes, largest first */
  readonly clusters: readonly Cluster[];
  /** whether all pairs were compared */
  readonly isComplete: boolean;
}

/** Texts of one fingerprint. */
interface FingerprintGroup extends Fingerprint {
  readonly values: CountedText[];
  count: number;
}

/**
 * Groups texts that are nearly equal: those with the same fingerprint, then those whose fingerprints differ by few
 * letters. No two fingerprints of a cluster differ by more: if `a` is similar to `b` and `b` to `c`, the three form a
 * cluster only if `a` is also similar to `c`. The clusters do not depend on the order of the texts. Other work of the
 * process runs in between.
 * @param texts distinct
 * @param maxDistance letters by which long fingerprints may differ (`allowedDistance`); 0: only equal ones are joined
 */
export async function clusterTexts(
  texts: readonly CountedText[],
  maxDistance: number,
): Promise<Clusters> {
  const groups = (await groupByFingerprint(texts)).sort(
    (a, b) => b.count - a.count || compareCodePoints(a.text, b.text),
  );
  const { neighbours, isComplete } = await similarTexts(groups, maxDistance);
  const isTaken = new Uint8Array(groups.length);
  const clusters: Cluster[] = [];
  for (const index of groups.keys()) {
    if (isTaken[index] === 1) continue;
    const members = [index];
    let widest = 0;
    const near = [...(neighbours[index] ?? [])].sort(([a, x], [b, y]) => x - y || a - b);
    for (const [other] of near) {
      if (isTaken[other] === 1) continue;
      const distances = members.map((member) => neighbours[other]?.get(member));
      if (distances.includes(undefined)) continue;
      members.push(other);
      for (const distance of distances) widest = Math.max(widest, distance ?? 0);
    }
    for (const member of members) isTaken[member] = 1;
    const values = members.flatMap((member) => groups[member]?.values ?? []).sort(byUse);
    if (values.length < 2) continue;
    clusters.push({ distance: widest, values, count: sum(values) });
    await yieldToEventLoop();
  }
  return { clusters: clusters.sort(byChanges), isComplete };
}

async function groupByFingerprint(texts: readonly CountedText[]): Promise<FingerprintGroup[]> {
  const groups = new Map<string, FingerprintGroup>();
  for (const text of texts) {
    const found = fingerprint(text.value);
    const group = groups.get(found.text) ?? { ...found, values: [], count: 0 };
    groups.set(found.text, group);
    group.values.push(text);
    group.count += text.count;
    await yieldToEventLoop();
  }
  return [...groups.values()];
}

const sum = (values: readonly CountedText[]) => values.reduce((all, { count }) => all + count, 0);

/** Among values of similar frequency, one in upper and lower case is more likely correct. */
function byUse(a: CountedText, b: CountedText): number {
  const [x, y] = [hasBothCases(a.value), hasBothCases(b.value)];
  return b.count - a.count || Number(y) - Number(x) || compareCodePoints(a.value, b.value);
}

const hasBothCases = (text: string) => /\p{Lu}/u.test(text) && /\p{Ll}/u.test(text);

function byChanges(a: Cluster, b: Cluster): number {
  const changed = ({ values, count }: Cluster) => count - (values[0]?.count ?? 0);
  return (
    changed(b) - changed(a) ||
    b.count - a.count ||
    compareCodePoints(a.values[0]?.value ?? '', b.values[0]?.value ?? '')
  );
}
