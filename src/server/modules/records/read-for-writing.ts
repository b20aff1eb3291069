import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Lock, StoredRecord } from '#server/database/records/record.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fullCollectionOf, narrowRecord } from '#server/database/records/collection-view.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { EntryErrors } from '#shared/contract/errors.ts';
import { matchesVersion } from '#shared/contract/etags.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import type { Actor } from '../history/history.service.ts';
import type { ErrorPaths } from './sent-record.ts';
import { presentRecord } from './present-record.ts';

/** The author of a write, for the history and for locks. */
export interface Writer extends Actor {
  readonly sessionId: string | null;
  readonly isAdministrator: boolean;
}

/** One record of a write, with its change. */
export interface EntryTarget {
  readonly id: number;
  readonly paths: ErrorPaths;
  readonly ifMatch: string | null;
}

/**
 * Finds the records of a write and checks that each exists, is not locked by others, and has the expected version.
 * @param collection the writer's view
 * @returns them with all their fields, also those that are hidden from the writer
 */
export async function readForWriting(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  entries: readonly EntryTarget[],
  errors: EntryErrors,
): Promise<Map<number, StoredRecord>> {
  const what = recordNoun(collection.kind);
  const found = await readRecords(
    db,
    fullCollectionOf(collection),
    entries.map(({ id }) => id),
    'lock',
  );
  const seen = new Set<number>();
  for (const { id, paths, ifMatch } of entries) {
    const record = found.get(id);
    if (seen.has(id)) errors.add('validation_failed', paths.whole, texts.fieldNamedTwice({ what }));
    else if (!record) errors.add('not_found', paths.whole, texts.noRecordOfId({ what, id }));
    else {
      const lock = lockOfAnother(record, writer);
      if (lock) errors.add('locked', paths.whole, lockedMessage(collection.kind, lock));
      if (ifMatch !== null && !matchesVersion(ifMatch, record.version)) {
        errors.add('changed_meanwhile', paths.whole, changedMeanwhile(collection.kind, record));
        errors.addCurrent(String(id), presentRecord(collection, narrowRecord(collection, record)));
      }
    }
    seen.add(id);
  }
  return found;
}

/** The lock that prevents this author from changing the record, or null. */
export function lockOfAnother(record: StoredRecord, writer: Writer): Lock | null {
  const lock = record.document?.lock ?? null;
  const own = lock?.sessionId === writer.sessionId || lock?.by === writer.username;
  return own || writer.isAdministrator ? null : lock;
}

/** What messages call a record of an archive or table. */
function recordNoun(kind: CollectionKind): string {
  return kind === 'archive' ? 'revision' : 'record';
}

/** The message of a 423. */
export function lockedMessage(kind: CollectionKind, { by, at }: Lock): Message {
  return texts.locked({ what: recordNoun(kind), by, at: isoTime(at) });
}

/** The message of a 412. */
export function changedMeanwhile(
  kind: CollectionKind,
  { changedBy, changedAt }: StoredRecord,
): Message {
  return texts.changedMeanwhile({
    what: recordNoun(kind),
    changedBy,
    changedAt: isoTime(changedAt),
  });
}
