import { type AnyRoute, defineRead } from '#server/http/route.ts';
import {
  countAnswer,
  historyAnswer,
  jridsAnswer,
  revisionIdsAnswer,
} from '#shared/contract/answers.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { answerHistoryInWorker } from '../history/history.reads.ts';
import { COUNT_PARAMETERS, ID_PARAMETERS } from './lists.service.ts';
import { answerIdsInWorker, listCountInWorker } from './records.reads.ts';
import { getRecord } from './records.service.ts';
import { recordIdOf } from './write-request.ts';

/** The calls that list the ids of the records that match, and count them. @param list the path of the list */
export function matchRoutes(kind: CollectionKind, list: string): AnyRoute[] {
  const records = kind === 'archive' ? 'revisions' : 'datasets';
  return [
    defineRead({
      path: `${list}/ids`,
      summary: `The ids of all ${records} that match, at most 100,000`,
      target: kind,
      parameters: ID_PARAMETERS,
      answer: kind === 'archive' ? revisionIdsAnswer : jridsAnswer,
      async handle(db, { client, target, query }) {
        return { json: await answerIdsInWorker(db, client.acceptsGzip, target, query) };
      },
    }),
    defineRead({
      path: `${list}/count`,
      summary: `How many ${records} match`,
      target: kind,
      parameters: COUNT_PARAMETERS,
      answer: countAnswer,
      async handle(db, { target, query }) {
        return { body: { count: await listCountInWorker(db, target, query) } };
      },
    }),
  ];
}

/** The call that reads the history of a record. @param record the path of the record */
export function historyRoute(kind: CollectionKind, record: string): AnyRoute {
  return defineRead({
    path: `${record}/history`,
    summary: `The history of a ${kind === 'archive' ? 'revision' : 'dataset'}, newest first`,
    target: kind,
    answer: historyAnswer,
    async handle(db, request) {
      const id = recordIdOf(request);
      const body = await answerHistoryInWorker(db, request.target, id);
      if (body.history.length === 0) await getRecord(db, request.target, id);
      return { body };
    },
  });
}
