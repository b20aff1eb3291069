import { defineRoute, type AnyRoute } from '#server/http/route.ts';
import * as answers from '#shared/answers.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import {
  archiveDetail,
  archiveSummaries,
  tableDetail,
  tableSummaries,
} from './catalogue.service.ts';

/** The calls that tell which archives and tables a user has (interface decisions, sections 6 and 7). */
export function catalogueRoutes(definitions: Definitions): AnyRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: 'application/users/:username/archives',
      summary: 'The archives that a user may see',
      target: 'none',
      access: 'read',
      query: 'none',
      body: null,
      answer: answers.archivesAnswer,
      status: 200,
      mode: 'read',
      async handle(db, { caller, params }) {
        const archives = await archiveSummaries(db, definitions, caller, params['username'] ?? '');
        return { body: { users: { archives } } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'application/users/:username/archives/:archive',
      summary: 'One archive with its index fields and keyword fields',
      target: 'none',
      access: 'read',
      query: 'none',
      body: null,
      answer: answers.archiveAnswer,
      status: 200,
      mode: 'read',
      async handle(db, { caller, params }) {
        const archive = await archiveDetail(
          db,
          definitions,
          caller,
          params['username'] ?? '',
          params['archive'] ?? '',
        );
        return { body: { users: { archives: [archive] } } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '{tables}',
      summary: 'The data tables that the caller may see',
      target: 'none',
      access: 'read',
      query: 'none',
      body: null,
      answer: answers.tablesAnswer,
      status: 200,
      mode: 'read',
      async handle(db, { caller }) {
        return { body: { tables: await tableSummaries(db, definitions, caller) } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '{tables}/:guid',
      summary: 'One data table with its columns',
      target: 'table',
      access: 'read',
      query: 'none',
      body: null,
      answer: answers.tableAnswer,
      status: 200,
      mode: 'read',
      async handle(db, { target, access }) {
        return { body: { tables: [await tableDetail(db, target, access)] } };
      },
    }),
  ];
}
