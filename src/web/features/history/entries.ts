import type { ArchiveDetail, HistoryEntry } from '#shared/answers.ts';
import type { Scalar } from '#shared/values.ts';

/** What a field held: the value of an index field, or the keywords of a keyword field. */
export type Held = Scalar | readonly string[];

/** One change of an entry, as it is shown and put back. */
export interface EntryChange {
  /** as the service names it: `indexFields.NAME`, `keywordFields.NAME`; null: no field of today's archive */
  readonly place: string | null;
  readonly label: string;
  readonly before: Held;
  readonly after: Held;
}

/** The changes of an entry in the words of the archive's definition. */
export function changesIn(archive: ArchiveDetail, entry: HistoryEntry): EntryChange[] {
  return entry.changes.map(({ name, before, after }) => {
    const held = { before: heldOf(before), after: heldOf(after) };
    if (name === 'document.locked') return { place: null, label: 'Lock', ...held };
    const keyword = /^keyword\.(.*)$/s.exec(name)?.[1];
    if (keyword === undefined) {
      const field = archive.indexFieldDefinitions.find((one) => one.name === name);
      return { place: field ? `indexFields.${name}` : null, label: field?.label ?? name, ...held };
    }
    const field = archive.keywordFieldDefinitions.find((one) => one.name === keyword);
    return {
      place: field ? `keywordFields.${keyword}` : null,
      label: field?.label ?? keyword,
      before: listOf(held.before),
      after: listOf(held.after),
    };
  });
}

/**
 * What the fields held right after an entry, as far as they have changed since.
 * @param newer the entries that came after it, newest first
 */
export function stateBefore(
  archive: ArchiveDetail,
  newer: readonly HistoryEntry[],
): ReadonlyMap<string, Held> {
  const state = new Map<string, Held>();
  for (const entry of newer) {
    for (const { place, before } of changesIn(archive, entry)) {
      if (place !== null) state.set(place, before);
    }
  }
  return state;
}

/** With which call something was changed, in a clerk's words. */
export function callWords({ call, changes }: Pick<HistoryEntry, 'call' | 'changes'>): string {
  if (/^load\b/.test(call)) return 'Loaded';
  if (/\/bulkedits\/[^/]+\/undo$/.test(call)) return 'Bulk edit taken back';
  if (call.includes('/bulkedits')) return 'Bulk edit';
  const [lock] = changes.filter(({ name }) => name === 'document.locked');
  if (lock && changes.length === 1) return lock.after === null ? 'Unlocked' : 'Locked';
  if (/\/documents\/[^/]+\/indexdata$/.test(call)) {
    if (call.startsWith('PATCH ')) return 'Changed fields';
    if (call.startsWith('PUT ')) return 'All fields';
  }
  if (call.endsWith('/indexdata')) return 'Several together';
  if (/^POST .*\/documents$/.test(call)) return 'Created';
  return 'Another way';
}

function heldOf(value: unknown): Held {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (Array.isArray(value)) return value.map(String);
  if (value === null || value === undefined) return null;
  // A lock: who held it.
  const by: unknown = Reflect.get(Object(value), 'by');
  return typeof by === 'string' ? by : JSON.stringify(value);
}

function listOf(held: Held): readonly string[] {
  if (held === null) return [];
  return typeof held === 'object' ? held : [String(held)];
}
