import * as httpTexts from '#messages/service/http.ts';
import type { Database } from '#server/database/database.ts';
import { definePreparedRoute, FOR_ADMINISTRATORS, type AnyRoute } from '#server/http/route.ts';
import { changeArchiveBody, changeTableBody } from '#shared/contract/configuration-bodies.ts';
import { misfitRecordsAnswer, misfitsAnswer } from '#shared/contract/configuration-definitions.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { MAX_IDS } from '#shared/rules/limits.ts';
import { writerOf } from '../records/write-request.ts';
import { findMisfitsOf, type WantedChange } from './change.service.ts';
import { findDefinition } from './definitions.store.ts';

const MOST = MAX_IDS.toLocaleString('en');

/** Which revisions and records have to be corrected before a definition can be changed. */
export function misfitRoutes(): AnyRoute[] {
  return [
    definePreparedRoute({
      ...ROUTE,
      path: 'configuration/archives/:archive/misfits',
      summary: 'The revisions whose values would not meet a changed definition',
      description: `Nothing changes. At most ${MOST}, by their ids.`,
      body: changeArchiveBody,
      answer: misfitsAnswer,
      async prepare(database, request) {
        const key = request.params['archive'] ?? '';
        const archive = await database.read((db) => findDefinition(db, 'archive', key));
        if (!archive) throw new ApiError('not_found', httpTexts.noArchive);
        const { archive: wanted } = request.body;
        const ids = await find(database, {
          kind: 'archive',
          id: archive.id,
          wanted,
          actor: writerOf(request),
        });
        return () => Promise.resolve({ body: { revisionIds: ids.map(String) } });
      },
    }),
    definePreparedRoute({
      ...ROUTE,
      path: 'configuration/tables/:guid/misfits',
      summary: 'The records whose values would not meet a changed definition',
      description: `Nothing changes. At most ${MOST}, by their ids.`,
      body: changeTableBody,
      answer: misfitRecordsAnswer,
      async prepare(database, request) {
        const key = request.params['guid'] ?? '';
        const table = await database.read((db) => findDefinition(db, 'table', key));
        if (!table) throw new ApiError('not_found', httpTexts.noTable);
        const { table: wanted } = request.body;
        const ids = await find(database, {
          kind: 'table',
          id: table.id,
          wanted,
          actor: writerOf(request),
        });
        return () => Promise.resolve({ body: { jrids: ids.map(String) } });
      },
    }),
  ];
}

const ROUTE = {
  ...FOR_ADMINISTRATORS,
  method: 'POST',
  access: 'manage',
  idempotency: 'none',
} as const;

type Wanted = Omit<WantedChange, 'keepsMisfits' | 'ifMatch'>;

function find(database: Database, change: Wanted): Promise<number[]> {
  return findMisfitsOf(database, { ...change, keepsMisfits: false, ifMatch: null }, MAX_IDS);
}
