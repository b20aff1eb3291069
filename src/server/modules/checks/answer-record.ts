import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Answer } from '#server/http/route.ts';
import { etagOf } from '#shared/contract/etags.ts';
import { presentRecord } from '../records/present-record.ts';
import { findingsMeta } from './findings.service.ts';

/**
 * The answer of a call about one record: the record with its findings and its tag.
 * @param presented by default as lists have it
 */
export async function answerRecord(
  db: Transaction,
  collection: Collection,
  record: StoredRecord,
  presented: unknown = presentRecord(collection, record),
): Promise<Answer> {
  const key = collection.kind === 'archive' ? 'archivedocumentrevisions' : 'datasets';
  return {
    body: { [key]: [presented], meta: await findingsMeta(db, collection, record) },
    headers: { etag: etagOf(record.version) },
    records: [record],
  };
}
