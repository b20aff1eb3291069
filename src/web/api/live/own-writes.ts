import type { ListPlace } from '../paths.ts';

/** How long the event about a write may take to come, in milliseconds. */
const COMES_WITHIN = 10_000;

interface Expected {
  times: number;
  until: number;
}
const expected = new Map<string, Expected>();
const keyOf = ({ kind, id: list }: ListPlace, id: string) => `${kind} ${list.toLowerCase()} ${id}`;

/**
 * Writes records, and takes the event that each of them leads to for this tab's own: what is shown here
 * follows from the answer.
 */
export async function writingOwn<T>(
  place: ListPlace,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const now = Date.now();
  for (const [key, { until }] of expected) if (until < now) expected.delete(key);
  const keys = ids.map((id) => keyOf(place, id));
  // It comes after the write, but maybe before its answer, which may take long.
  for (const key of keys) {
    const times = (expected.get(key)?.times ?? 0) + 1;
    expected.set(key, { times, until: Number.POSITIVE_INFINITY });
  }
  const settle = (comes: boolean) => {
    for (const key of keys) {
      const entry = expected.get(key);
      if (!entry) continue;
      if (!comes) entry.times--;
      entry.until = Date.now() + COMES_WITHIN;
      if (entry.times <= 0) expected.delete(key);
    }
  };
  try {
    const answer = await work();
    settle(true);
    return answer;
  } catch (error) {
    settle(false);
    throw error;
  }
}

/** Whether a change is the one that this tab expects; each write explains one. */
export function isOwn(place: ListPlace, id: string): boolean {
  const key = keyOf(place, id);
  const entry = expected.get(key);
  if (!entry || entry.until < Date.now()) return false;
  entry.times--;
  if (entry.times <= 0) expected.delete(key);
  return true;
}
