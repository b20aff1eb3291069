import { yieldsAfter, yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Answer } from '#server/http/route.ts';
import { etagOf } from '#shared/contract/etags.ts';
import { presentRecord } from '../records/present-record.ts';
import { etagsOf } from '../records/record-etags.ts';
import { findingsById, findingsMeta } from './findings.service.ts';

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
  return {
    body: { [keyOf(collection)]: [presented], meta: await findingsMeta(db, collection, record) },
    headers: { etag: etagOf(record.version) },
    records: [record],
  };
}

/**
 * The answer of a call about several records, written in parts with other work in between.
 * @param more properties of `meta` besides the entity tags and findings
 */
export async function answerRecords(
  db: Transaction,
  collection: Collection,
  records: readonly StoredRecord[],
  more: object = {},
): Promise<Answer> {
  const findings = await findingsById(db, collection, records);
  const text = async () => {
    const items: string[] = [];
    for (const [i, record] of records.entries()) {
      items.push(JSON.stringify(presentRecord(collection, record)));
      if (yieldsAfter(i)) await yieldToEventLoop();
    }
    const meta = JSON.stringify({ etags: etagsOf(records), findings, ...more });
    return `{"${keyOf(collection)}":[${items.join()}],"meta":${meta}}`;
  };
  return { text, records };
}

function keyOf({ kind }: Collection): string {
  return kind === 'archive' ? 'archivedocumentrevisions' : 'datasets';
}
