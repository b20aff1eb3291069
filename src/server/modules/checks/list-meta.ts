import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { etagsOf } from '../records/record-etags.ts';
import type { ListPage } from '../records/lists.service.ts';
import { findingsById } from './findings.service.ts';

/** The metadata in an answer for a page of a list: findings only if the call asks for them. */
export async function listMeta(
  db: Transaction,
  collection: Collection,
  { records, pagination, withFindings }: ListPage,
) {
  return {
    pagination,
    etags: etagsOf(records),
    ...(withFindings && { findings: await findingsById(db, collection, records) }),
  };
}
