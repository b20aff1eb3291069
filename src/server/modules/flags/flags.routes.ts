import { type AnyRoute, defineRead, defineRoute } from '#server/http/route.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { flagsAnswer, type Flag } from '#shared/contract/workspace-answers.ts';
import { flagBody } from '#shared/contract/workspace-requests.ts';
import { getRecord } from '../records/records.service.ts';
import { recordIdOf } from '../records/write-request.ts';
import { deleteFlag, readFlags, writeFlag } from './flags.store.ts';

const FLAG = '{archives}/:archive/documents/:revisionId/flag';

/** Flags: revisions that a user has marked for later (correction desk). */
export function flagRoutes(): AnyRoute[] {
  return [
    defineRead({
      path: '{archives}/:archive/flags',
      summary: 'List the revisions that the caller has flagged, oldest flag first',
      target: 'archive',
      answer: flagsAnswer,
      async handle(db, { target, caller }) {
        return { body: { flags: await flagsOf(db, caller.userId, target) } };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: FLAG,
      summary: 'Flag a revision for later, with an optional note',
      target: 'archive',
      access: 'read',
      body: flagBody,
      answer: flagsAnswer,
      async handle(db, request) {
        const { target, caller, body } = request;
        const { id } = await getRecord(db, target, recordIdOf(request));
        await writeFlag(db, caller.userId, target, { rowId: id, note: body.note, at: Date.now() });
        const flags = await flagsOf(db, caller.userId, target);
        return { body: { flags: flags.filter(({ revisionId }) => revisionId === String(id)) } };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: FLAG,
      summary: 'Remove the flag of a revision',
      target: 'archive',
      access: 'read',
      answer: null,
      async handle(db, request) {
        await deleteFlag(db, request.caller.userId, request.target, recordIdOf(request));
        return {};
      },
    }),
  ];
}

async function flagsOf(db: Transaction, userId: number, archive: Archive): Promise<Flag[]> {
  return (await readFlags(db, userId, archive)).map(({ rowId, note, at }) => ({
    revisionId: String(rowId),
    note,
    at: isoTime(at),
  }));
}
