import type { CollectionRef } from '../api-paths.ts';

/** How long the event of a write may take to arrive, in milliseconds. */
const EVENT_TIMEOUT = 10_000;

interface Expected {
  times: number;
  until: number;
}
const expectedEvents = new Map<string, Expected>();
const keyOf = ({ kind, id: list }: CollectionRef, id: string) =>
  `${kind} ${list.toLowerCase()} ${id}`;

/**
 * Runs a write of records, and attributes the resulting events to this tab: its data is updated from the answer
 * instead.
 */
export async function expectOwnEvents<T>(
  collection: CollectionRef,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const now = Date.now();
  for (const [key, { until }] of expectedEvents) if (until < now) expectedEvents.delete(key);
  const keys = ids.map((id) => keyOf(collection, id));
  // The event follows the write, but may arrive before the answer.
  for (const key of keys) {
    const times = (expectedEvents.get(key)?.times ?? 0) + 1;
    expectedEvents.set(key, { times, until: Number.POSITIVE_INFINITY });
  }
  const settle = (succeeded: boolean) => {
    for (const key of keys) {
      const entry = expectedEvents.get(key);
      if (!entry) continue;
      if (!succeeded) entry.times--;
      entry.until = Date.now() + EVENT_TIMEOUT;
      if (entry.times <= 0) expectedEvents.delete(key);
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

/** Whether a change is an expected one of this tab; each write accounts for one. */
export function takeOwnEvent(collection: CollectionRef, id: string): boolean {
  const key = keyOf(collection, id);
  const entry = expectedEvents.get(key);
  if (!entry || entry.until < Date.now()) return false;
  entry.times--;
  if (entry.times <= 0) expectedEvents.delete(key);
  return true;
}
