import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { Dataset, IndexEntry, Revision } from '#shared/contract/answers.ts';

/** A record in responses. */
export function presentRecord(collection: Collection, record: StoredRecord) {
  return collection.kind === 'archive'
    ? toRevision(collection, record)
    : toDataset(collection, record);
}

/** A revision in the responses of the six calls (docs/interface/decisions.md, section 5). */
export function toRevision(archive: Archive, record: StoredRecord): Revision {
  return {
    revisionId: String(record.id),
    indexFields: archive.fields.map(({ name }, index) => ({
      name,
      value: record.values[index] ?? null,
    })),
    keywordFields: archive.keywordFields.flatMap(({ name }, index) =>
      (record.keywords[index] ?? []).map((value) => ({ name, value })),
    ),
  };
}

/** A revision without its index data: document, times, lock. */
export function toRevisionMeta(record: StoredRecord) {
  const { document } = record;
  if (!document) throw new Error('Not a record of an archive');
  return {
    documentId: String(document.documentId),
    revision: document.revision,
    createdAt: isoTime(record.createdAt),
    changedAt: isoTime(record.changedAt),
    changedBy: record.changedBy,
    locked: document.lock && { by: document.lock.by, at: isoTime(document.lock.at) },
  };
}

/** A revision in a list (docs/interface/decisions.md, section 6). */
export function toIndexEntry(archive: Archive, record: StoredRecord): IndexEntry {
  const { revisionId, indexFields } = toRevision(archive, record);
  return { revisionId, ...toRevisionMeta(record), indexFields };
}

/**
 * A dataset in all responses: `jrid` and one property per column (docs/interface/rest-interface.md,
 * section 2.2).
 */
export function toDataset(table: Table, record: StoredRecord): Dataset {
  const dataset: Dataset = { jrid: String(record.id) };
  table.fields.forEach(({ name }, index) => {
    dataset[name] = record.values[index] ?? null;
  });
  return dataset;
}
