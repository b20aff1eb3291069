import { defineRead, type AnyRoute, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import { locksAnswer } from '#shared/contract/locks.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { answerLocksInWorker } from './documents.reads.ts';

/** The locks of all revisions, for administrators, who release one by `PATCH …/documents/:revisionId`. */
export function lockRoutes(definitions: Definitions): AnyRoute[] {
  return [
    defineRead({
      path: 'configuration/locks',
      summary: 'The locked revisions, with user and time of each lock',
      description:
        'Locks of ended sessions are no longer valid and are not listed. An administrator releases a lock by `PATCH ' +
        '…/documents/:revisionId` with `{"locked": false}`.',
      ...FOR_ADMINISTRATORS,
      answer: locksAnswer,
      cost: 'heavy',
      handle: async (db) => ({
        body: await answerLocksInWorker(db, await definitions.archives(db)),
      }),
    }),
  ];
}
