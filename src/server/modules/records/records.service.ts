import type { Db } from '#server/db/database.ts';
import type { Lock, StoredRecord } from '#server/db/records/record.ts';
import { readRecords } from '#server/db/records/read-records.ts';
import { deleteRecords, insertRecords, updateRecords } from '#server/db/records/write-records.ts';
import { EntryErrors } from '#shared/errors.ts';
import { matchesVersion } from '#shared/etags.ts';
import type { Scalar } from '#shared/values.ts';
import type { Thing } from '#server/db/records/thing.ts';
import { recordHistory, sameList, type Actor, type Change } from '../history/history.service.ts';
import { readSent, type GivenValues, type Places, type SentRecord } from './entry.ts';
import { checkUnique } from './unique.ts';

export type { Places, SentKeywords, SentRecord, SentValue } from './entry.ts';

/** Who writes: for the history, and for what locks permit. */
export interface Writer extends Actor {
  readonly sessionId: string | null;
  readonly administrator: boolean;
}

/** One record of a write and what is to become of it. */
export interface EntryTarget {
  readonly id: number;
  readonly places: Places;
  readonly ifMatch: string | null;
}

export interface ChangeEntry extends EntryTarget {
  readonly sent: SentRecord;
  /** every index field must be named (PUT of index data) */
  readonly full: boolean;
}

/** How a record is answered, for `current` where it was changed meanwhile. */
export type Present = (record: StoredRecord) => unknown;

/** What a call has made of the records that it names. */
export interface ChangedRecords {
  /** as they are after the call, in the order of the entries */
  readonly records: StoredRecord[];
  /** those of which the call has changed something; the others held the values already */
  readonly changedIds: readonly number[];
}

/**
 * Changes records, all or none; what does not change is not written and leaves no history.
 * @param single whether the call is about one record, so that `current` stands alone in a 412
 * @param errors what is already found wrong with the entries; reported together with the rest
 * @throws {ApiError} with the errors of all entries
 */
export async function changeRecords(
  db: Db,
  thing: Thing,
  writer: Writer,
  entries: readonly ChangeEntry[],
  present: Present,
  single: boolean,
  errors: EntryErrors = new EntryErrors(),
): Promise<ChangedRecords> {
  const found = await openForWriting(db, thing, writer, entries, present, errors);
  const at = Date.now();
  const changes: { before: StoredRecord; after: StoredRecord; places: Places }[] = [];
  for (const entry of entries) {
    const given = readSent(thing, entry.sent, entry.places, errors);
    if (entry.full) checkFull(thing, given, entry.places, errors);
    const before = found.get(entry.id);
    if (before)
      changes.push({
        before,
        after: applied(before, given, at, writer.username),
        places: entry.places,
      });
  }
  const changed = changes.filter(({ before, after }) => before !== after);
  await checkUnique(db, thing, changed, errors);
  errors.throwIfAny(single);

  await updateRecords(db, thing, changed);
  await recordHistory(
    db,
    thing,
    writer,
    at,
    changed.map(({ before, after }) => ({
      kind: 'change',
      id: after.id,
      version: after.version,
      before,
      after,
    })),
  );
  return {
    records: changes.map(({ after }) => after),
    changedIds: changed.map(({ after }) => after.id),
  };
}

export interface CreateEntry {
  readonly places: Places;
  readonly sent: SentRecord;
  /** where the values of fields that are not sent come from */
  readonly initial: Pick<StoredRecord, 'values' | 'keywords'>;
  readonly document: { readonly documentId: number | null; readonly revision: number } | null;
  /** changes for the history beside values and keywords */
  readonly more: readonly Change[];
}

/**
 * Creates records, all or none.
 * @param single whether the call is about one record, so that `current` stands alone in a 412
 * @param errors what is already found wrong with the entries; reported together with the rest
 * @returns their ids, in the order of the entries
 * @throws {ApiError} with the errors of all entries
 */
export async function createRecords(
  db: Db,
  thing: Thing,
  writer: Writer,
  entries: readonly CreateEntry[],
  single = false,
  errors: EntryErrors = new EntryErrors(),
): Promise<number[]> {
  const states = entries.map((entry) => {
    const given = readSent(thing, entry.sent, entry.places, errors);
    const state = {
      values: entry.initial.values.map(
        (value, place) => given.values.get(place) ?? (given.values.has(place) ? null : value),
      ),
      keywords: entry.initial.keywords.map((list, place) => given.keywords.get(place) ?? list),
    };
    thing.fields.forEach((field, place) => {
      // What was sent has been checked already.
      const value = state.values[place] ?? null;
      if (field.required && !given.values.has(place) && (value === null || value === '')) {
        errors.add('validation_failed', entry.places.field(field.name), 'A value is required.');
      }
    });
    return state;
  });
  await checkUnique(
    db,
    thing,
    states.map((after, i) => ({
      before: null,
      after: { id: -1, ...after },
      places: entries[i]?.places ?? NOWHERE,
    })),
    errors,
  );
  errors.throwIfAny(single);

  const at = Date.now();
  const records = states.map((state, i) => ({
    id: null,
    version: 1,
    ...state,
    document: entries[i]?.document ?? null,
  }));
  const ids = await insertRecords(db, thing, records, { at, by: writer.username });
  await recordHistory(
    db,
    thing,
    writer,
    at,
    states.map((after, i) => ({
      kind: 'create',
      id: ids[i] ?? 0,
      version: 1,
      before: null,
      after,
      more: entries[i]?.more ?? [],
    })),
  );
  return ids;
}

const NOWHERE: Places = { whole: '-', field: () => '-', keyword: () => '-' };

/** Deletes records, all or none; their history stays and tells what they were. */
export async function removeRecords(
  db: Db,
  thing: Thing,
  writer: Writer,
  entries: readonly EntryTarget[],
  present: Present,
  single: boolean,
  more: (record: StoredRecord) => readonly Change[] = () => [],
): Promise<void> {
  const errors = new EntryErrors();
  const found = await openForWriting(db, thing, writer, entries, present, errors);
  errors.throwIfAny(single);
  const records = [...found.values()];
  await deleteRecords(
    db,
    thing,
    records.map(({ id }) => id),
  );
  await recordHistory(
    db,
    thing,
    writer,
    Date.now(),
    records.map((record) => ({
      kind: 'delete',
      id: record.id,
      version: record.version + 1,
      before: record,
      after: null,
      more: more(record),
    })),
  );
}

/** Finds the records of a write and checks that each is there, not locked by another, and of the version meant. */
export async function openForWriting(
  db: Db,
  thing: Thing,
  writer: Writer,
  entries: readonly EntryTarget[],
  present: Present,
  errors: EntryErrors,
): Promise<Map<number, StoredRecord>> {
  const what = thing.kind === 'archive' ? 'revision' : 'record';
  const found = await readRecords(
    db,
    thing,
    entries.map(({ id }) => id),
    'lock',
  );
  const seen = new Set<number>();
  for (const { id, places, ifMatch } of entries) {
    const record = found.get(id);
    if (seen.has(id)) errors.add('validation_failed', places.whole, `The ${what} is named twice.`);
    else if (!record) errors.add('not_found', places.whole, `There is no ${what} ${id}.`);
    else {
      const lock = lockOfAnother(record, writer);
      if (lock) errors.add('locked', places.whole, lockedMessage(what, lock));
      if (ifMatch !== null && !matchesVersion(ifMatch, record.version)) {
        errors.add('changed_meanwhile', places.whole, changedMeanwhile(what, record));
        errors.addCurrent(String(id), present(record));
      }
    }
    seen.add(id);
  }
  return found;
}

/** The lock that keeps this writer from changing the record, or null. */
export function lockOfAnother(record: StoredRecord, writer: Writer): Lock | null {
  const lock = record.document?.lock ?? null;
  const own = lock?.sessionId === writer.sessionId || lock?.by === writer.username;
  return own || writer.administrator ? null : lock;
}

/** The sentence of a 423. */
export function lockedMessage(what: string, { by, at }: Lock): string {
  return `The ${what} is locked by ${by} since ${isoTime(at)}.`;
}

/** The sentence of a 412. */
export function changedMeanwhile(what: string, { changedBy, changedAt }: StoredRecord): string {
  return `The ${what} was changed meanwhile, last by ${changedBy} at ${isoTime(changedAt)}.`;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

function checkFull(thing: Thing, given: GivenValues, places: Places, errors: EntryErrors): void {
  thing.fields.forEach((field, place) => {
    if (!given.values.has(place)) {
      errors.add(
        'validation_failed',
        places.field(field.name),
        'The index field is missing; PUT needs all of them.',
      );
    }
  });
}

/** The record with the given values, or the same object where nothing differs. */
function applied(before: StoredRecord, given: GivenValues, at: number, by: string): StoredRecord {
  const differs =
    [...given.values].some(([place, value]) => before.values[place] !== value) ||
    [...given.keywords].some(([place, list]) => !sameList(before.keywords[place] ?? [], list));
  if (!differs) return before;
  const value = (old: Scalar, place: number): Scalar =>
    given.values.has(place) ? (given.values.get(place) ?? null) : old;
  const keywords = [...given.keywords].some(
    ([place, list]) => !sameList(before.keywords[place] ?? [], list),
  )
    ? before.keywords.map((old, place) => given.keywords.get(place) ?? old)
    : before.keywords;
  return {
    ...before,
    version: before.version + 1,
    changedAt: at,
    changedBy: by,
    values: before.values.map(value),
    keywords,
  };
}
