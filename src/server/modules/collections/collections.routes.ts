import { type AnyRoute, defineRead } from '#server/http/route.ts';
import * as answers from '#shared/contract/answers.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import {
  archiveDetail,
  archiveSummaries,
  requireArchive,
  tableDetail,
  tableSummaries,
} from './collections.service.ts';

/** The calls about the archives and tables of a user (docs/interface/decisions.md, sections 6 and 7). */
export function collectionRoutes(definitions: Definitions): AnyRoute[] {
  return [
    defineRead({
      path: 'application/users/:username/archives',
      summary: 'The archives that a user may see',
      target: 'none',
      answer: answers.archivesAnswer,
      async handle(db, { caller, params }) {
        const archives = await archiveSummaries(db, definitions, caller, params['username'] ?? '');
        return { body: { users: { archives } } };
      },
    }),
    defineRead({
      path: 'application/users/:username/archives/:archive',
      summary: 'One archive with its index fields and keyword fields',
      target: 'none',
      checkPath: (db, params, caller) => requireArchive(db, definitions, caller, params),
      answer: answers.archiveAnswer,
      async handle(db, { caller, params }) {
        const archive = await archiveDetail(db, definitions, caller, params);
        return { body: { users: { archives: [archive] } } };
      },
    }),
    defineRead({
      path: '{tables}',
      summary: 'The data tables that the caller may see',
      target: 'none',
      answer: answers.tablesAnswer,
      async handle(db, { caller }) {
        return { body: { tables: await tableSummaries(db, definitions, caller) } };
      },
    }),
    defineRead({
      path: '{tables}/:guid',
      summary: 'One data table with its columns',
      target: 'table',
      answer: answers.tableAnswer,
      async handle(db, { caller, target, access }) {
        return { body: { tables: [await tableDetail(db, definitions, caller, target, access)] } };
      },
    }),
  ];
}
