import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { AuditAnswer, AuditEntryAnswer, RecordAtEntry } from '#shared/contract/audit.ts';
import { scalarSchema } from '#shared/contract/answers.ts';
import { currentNamesOf, type ChainedEntry } from '../history/history.service.ts';
import { readConversions } from '../verification/conversions.ts';
import { formatHead, readHead } from '../verification/verification.service.ts';
import type { AuditFilter } from './audit-filter.ts';
import * as store from './audit.store.ts';
import { collectionOf, presentEntry, readSubjectNames } from './subject-names.ts';

export type { AuditFilter } from './audit-filter.ts';

/**
 * A page of the audit: the matching entries, newest first. If no index supports the filter, a page may contain fewer
 * entries than `limit`, even none, and still be continued by `next`.
 * @param after the id of the entry after which the page begins; null: start with the newest
 * @returns undefined if there is no entry `after`
 */
export async function answerAudit(
  db: Transaction,
  filter: AuditFilter,
  after: number | null,
  limit: number,
): Promise<AuditAnswer | undefined> {
  const page = await store.readAuditPage(db, filter, after, limit);
  if (!page) return undefined;
  const names = await readSubjectNames(db);
  const head = await readHead(db);
  return {
    entries: page.rows.map((row) => presentEntry(names, row)),
    meta: {
      chain: { sealedUpTo: head.position, head: formatHead(head) },
      pagination: { limit, next: page.next === null ? null : String(page.next) },
    },
  };
}

/** One entry, with the record's state after it. @returns undefined if there is no such entry */
export async function answerEntry(
  db: Transaction,
  historyId: number,
): Promise<AuditEntryAnswer | undefined> {
  const [row] = await store.readByIds(db, [historyId]);
  if (!row) return undefined;
  const names = await readSubjectNames(db);
  const isOfRecord = row.scope === 'archive' || row.scope === 'table';
  const collection = collectionOf(names, row);
  return {
    entries: [presentEntry(names, row)],
    record: isOfRecord ? await readRecordAt(db, row, collection) : null,
  };
}

/**
 * Rebuilds a record from its entries, with the present names of its fields. A field whose type was changed since has the
 * value that it had before.
 */
async function readRecordAt(
  db: Transaction,
  row: ChainedEntry,
  collection: Collection | undefined,
): Promise<RecordAtEntry> {
  const fields = collection ? shownFieldsOf(collection) : [];
  const shownNames = new Map(
    fields.flatMap(([shown, names]) => names.map((name) => [name, shown])),
  );
  /** By the names in the history; fields with values that were converted later are missing. */
  const values = new Map<string, unknown>(
    collection?.fields.flatMap(({ historyName, conversion }) =>
      conversion ? [] : [[historyName, null]],
    ),
  );
  /** The names of fields that have been converted into others. */
  const past = new Set<string>();
  const conversions = collection ? await readConversions(db, collection) : [];
  const nameAt = (index: number) => collection?.fields[index]?.historyName ?? '';
  let converted = 0;
  /** Applies the conversions of definition changes before an entry. */
  const convertBefore = (entry: number) => {
    for (let next = conversions[converted]; next && next.entry < entry;) {
      const sources = next.sources?.map(nameAt) ?? [];
      const read = z.array(scalarSchema).safeParse(sources.map((name) => values.get(name) ?? null));
      const to = nameAt(next.to);
      if (read.success) values.set(to, next.convert(read.data));
      for (const name of sources) {
        if (shownNames.get(name) === shownNames.get(to)) past.add(name);
      }
      next = conversions[++converted];
    }
  };
  let exists = false;
  for (let last = 0; ;) {
    const entries = await store.readRecordEntries(db, row, last);
    for (const { id, kind, changes } of entries) {
      convertBefore(id);
      if (!exists) for (const name of values.keys()) values.set(name, null);
      exists = kind !== 'delete';
      if (exists) for (const { name, after } of changes) values.set(name, after);
    }
    const end = entries.at(-1);
    if (!end) break;
    last = end.id;
  }
  for (const name of past) values.delete(name);
  const ofFields = fields.flatMap(([, names]) => names.filter((name) => values.has(name)));
  const names = collection && currentNamesOf(collection);
  return {
    exists,
    values: [...new Set([...ofFields, ...values.keys()])].map((name) => ({
      name: names?.get(name) ?? name,
      value: values.get(name),
    })),
  };
}

/** The fields that definitions show, each with all its names in the history. */
function shownFieldsOf({ fields }: Collection): (readonly [string, readonly string[]])[] {
  const hidden = new Set(
    fields.flatMap(({ superseded }) => superseded.map(({ historyName }) => historyName)),
  );
  return fields
    .filter(({ historyName }) => !hidden.has(historyName))
    .map(({ historyName, superseded }) => [
      historyName,
      [historyName, ...superseded.map((former) => former.historyName)],
    ]);
}
