import type { StoredRecord } from '#server/database/records/record.ts';
import type { IndexEntry, Revision } from '#shared/answers.ts';
import type { Archive } from '#server/database/records/collection.ts';

/** A revision as the six calls answer it (docs/interface/decisions.md, section 5). */
export function toRevision(archive: Archive, record: StoredRecord): Revision {
  return {
    revisionId: String(record.id),
    indexFields: archive.fields.map(({ name }, place) => ({
      name,
      value: record.values[place] ?? null,
    })),
    keywordFields: archive.keywordFields.flatMap(({ name }, place) =>
      (record.keywords[place] ?? []).map((value) => ({ name, value })),
    ),
  };
}

/** What a revision is beside its index data: its document, its times, its lock. */
export function toRevisionMeta(record: StoredRecord) {
  const { document } = record;
  if (!document) throw new Error('Not a record of an archive');
  return {
    documentId: String(document.documentId),
    revision: document.revision,
    createdAt: new Date(record.createdAt).toISOString(),
    changedAt: new Date(record.changedAt).toISOString(),
    changedBy: record.changedBy,
    locked: document.lock && { by: document.lock.by, at: new Date(document.lock.at).toISOString() },
  };
}

/** A revision as a list answers it (docs/interface/decisions.md, section 6). */
export function toIndexEntry(archive: Archive, record: StoredRecord): IndexEntry {
  const { revisionId, indexFields } = toRevision(archive, record);
  return { revisionId, ...toRevisionMeta(record), indexFields };
}
