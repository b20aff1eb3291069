import type { Collection } from '#server/database/records/collection.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { toDataset } from '../datasets/present-dataset.ts';
import { toRevision } from '../documents/present-revision.ts';

/** A record in responses. */
export function presentRecord(collection: Collection, record: StoredRecord) {
  return collection.kind === 'archive'
    ? toRevision(collection, record)
    : toDataset(collection, record);
}
