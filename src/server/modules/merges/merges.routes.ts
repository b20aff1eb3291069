import { type AnyRoute, definePreparedRoute, defineRoute } from '#server/http/route.ts';
import { datasetsAnswer } from '#shared/contract/answers.ts';
import { etagOf } from '#shared/contract/etags.ts';
import { mergedAnswer, mergePlanAnswer } from '#shared/contract/merge-answers.ts';
import { mergeBody, undoMergeBody } from '#shared/contract/merge-requests.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { toDataset } from '../records/present-record.ts';
import { findingsMeta } from '../checks/findings.service.ts';
import { answerRecords } from '../checks/answer-record.ts';
import { etagsOf } from '../records/record-etags.ts';
import { writerOf } from '../records/write-request.ts';
import { mergeRecords, planMerge, toMergePlan, undoMerge } from './merges.service.ts';

const MERGES = '{tables}/:guid/merges';

/** The calls about merges of records (docs/interface/checks.md, section 5). */
export function mergeRoutes(definitions: Definitions): AnyRoute[] {
  return [
    definePreparedRoute({
      method: 'POST',
      path: `${MERGES}/plan`,
      summary: 'Preview the merge of datasets',
      description: 'Changes nothing.',
      target: 'table',
      access: 'manage',
      body: mergeBody,
      answer: mergePlanAnswer,
      idempotency: 'none',
      cost: 'heavy',
      async prepare(database, { caller, target, body }) {
        const plan = await database.read((db) => planMerge(db, definitions, caller, target, body));
        return () => Promise.resolve({ body: { merge: toMergePlan(plan) } });
      },
    }),
    defineRoute({
      method: 'POST',
      path: MERGES,
      summary: 'Merge datasets into one',
      description:
        'All or nothing. Look-ups of the merged datasets, in all archives and tables, point to the remaining one.',
      target: 'table',
      access: 'manage',
      body: mergeBody,
      answer: mergedAnswer,
      cost: 'heavy',
      isLarge: () => true,
      async handle(db, request) {
        const { caller, target, body } = request;
        const merger = { person: caller, writer: writerOf(request) };
        const { record, undo } = await mergeRecords(db, definitions, merger, target, body);
        const { findings } = await findingsMeta(db, target, record);
        return {
          body: {
            datasets: [toDataset(target, record)],
            meta: { etags: etagsOf([record]), findings, undo },
          },
          headers: { etag: etagOf(record.version) },
          records: [record],
        };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${MERGES}/undo`,
      summary: 'Undo a merge of the caller',
      target: 'table',
      access: 'manage',
      body: undoMergeBody,
      answer: datasetsAnswer,
      cost: 'heavy',
      isLarge: () => true,
      async handle(db, request) {
        const { caller, target, access, body } = request;
        const own = { table: target, access };
        const merger = { person: caller, writer: writerOf(request) };
        const records = await undoMerge(db, definitions, merger, own, body);
        return answerRecords(db, target, records);
      },
    }),
  ];
}
