import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { WrittenRules } from '../value-text.ts';

/** What a field held: one value, or a list such as keywords. */
export type Held = Scalar | readonly string[];

/** One change of an entry, as it is shown and put back. */
export interface EntryChange {
  /** what names the field where a value is put back; null: it cannot be */
  readonly place: string | null;
  readonly label: string;
  /** how its values are written; undefined: as they are stored */
  readonly rules: WrittenRules | undefined;
  readonly before: Held;
  readonly after: Held;
}

/** The changes of an entry in the words of today's definition. */
export type ChangesIn = (entry: HistoryEntry) => readonly EntryChange[];

/**
 * What the fields held right after an entry, as far as they have changed since.
 * @param newer the entries that came after it, newest first
 */
export function stateBefore(
  changesIn: ChangesIn,
  newer: readonly HistoryEntry[],
): ReadonlyMap<string, Held> {
  const state = new Map<string, Held>();
  for (const entry of newer) {
    for (const { place, before } of changesIn(entry)) {
      if (place !== null) state.set(place, before);
    }
  }
  return state;
}

/** A value of the history as a field holds it. */
export function fieldValueOf(value: unknown): Held {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (Array.isArray(value)) return value.map(String);
  if (value === null || value === undefined) return null;
  // A lock: who held it.
  const by: unknown = Reflect.get(Object(value), 'by');
  return typeof by === 'string' ? by : JSON.stringify(value);
}

export function isList(held: Held): held is readonly string[] {
  return typeof held === 'object' && held !== null;
}

/** A value for where no list fits. */
export function scalarOf(held: Held): Scalar {
  return isList(held) ? held.join(', ') : held;
}
