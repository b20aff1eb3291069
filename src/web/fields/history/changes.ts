import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import { isList, type Stored } from '#web/fields/value-checks.ts';
import { fieldValueText } from '../field-model.ts';
import type { WrittenRules } from '../value-text.ts';

/** One change of an entry, as it is shown and restored. */
export interface EntryChange {
  /** the field into which a value can be restored; null: none */
  readonly place: string | null;
  readonly label: string;
  /** how its values are written; undefined: as they are stored */
  readonly rules: WrittenRules | undefined;
  readonly before: Stored;
  readonly after: Stored;
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
): ReadonlyMap<string, Stored> {
  const state = new Map<string, Stored>();
  for (const entry of newer) {
    for (const { place, before } of changesIn(entry)) {
      if (place !== null) state.set(place, before);
    }
  }
  return state;
}

/** A value of the history as a record stores it. */
export function toStored(value: unknown): Stored {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (Array.isArray(value)) return value.map(String);
  if (value === null || value === undefined) return null;
  // A lock: who held it.
  const by: unknown = Reflect.get(Object(value), 'by');
  return typeof by === 'string' ? by : JSON.stringify(value);
}

/** A value for where no list fits. */
export function scalarOf(stored: Stored): Scalar {
  return isList(stored) ? fieldValueText(stored) : stored;
}
