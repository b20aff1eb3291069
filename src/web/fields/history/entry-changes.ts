import * as texts from '#messages/history.ts';
import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { isList, type StoredContent } from '#web/fields/value-checks.ts';
import { fieldValueText } from '../field-model.ts';
import type { WrittenRules } from '../value-text.ts';

/** One change of an entry, for display and restoring. */
export interface EntryChange {
  /** the field in which a value can be restored; null: none */
  readonly path: string | null;
  readonly label: string;
  /** how its values are formatted; undefined: as stored */
  readonly rules: WrittenRules | undefined;
  readonly before: StoredContent;
  readonly after: StoredContent;
}

/** The changes of an entry, translated by today's definition. */
export type ChangesIn = (entry: HistoryEntry) => readonly EntryChange[];

/** Whether an earlier value of a field can be restored: it still exists, and the user can change it. */
export function isWritable(field: { readonly readOnly?: true | undefined } | undefined): boolean {
  return field !== undefined && field.readOnly !== true;
}

const RECORD_CHANGES: ReadonlyMap<string, string> = new Map(Object.entries(texts.recordChanges));

/**
 * The label of a change of a record that is not of one of its present fields: of its files, its lock, its number, or of
 * an exception from a check.
 * @param name as the history has it; it is the label of everything else, such as a removed field
 */
export function recordChangeLabel(name: string): string {
  const [, check] = /^checks\.(.*)$/s.exec(name) ?? [];
  return RECORD_CHANGES.get(name) ?? (check === undefined ? name : texts.exceptionFrom(check));
}

/**
 * The values right after an entry, of fields that have changed since.
 * @param newer the later entries, newest first
 */
export function stateBefore(
  changesIn: ChangesIn,
  newer: readonly HistoryEntry[],
): ReadonlyMap<string, StoredContent> {
  const state = new Map<string, StoredContent>();
  for (const entry of newer) {
    for (const { path, before } of changesIn(entry)) {
      if (path !== null) state.set(path, before);
    }
  }
  return state;
}

/** Converts a value of the history to a stored value. */
export function toStored(value: unknown): StoredContent {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (Array.isArray(value)) return value.map(String);
  if (value === null || value === undefined) return null;
  // A lock: who held it.
  const by: unknown = Reflect.get(Object(value), 'by');
  return typeof by === 'string' ? by : JSON.stringify(value);
}

/** The single value of a field whose rules allow no list. */
export function scalarOf(stored: StoredContent): Scalar {
  return isList(stored) ? fieldValueText(stored) : stored;
}
