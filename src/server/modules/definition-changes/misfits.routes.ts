import { definePreparedRoute, type AnyRoute } from '#server/http/route.ts';
import { misfitRecordsAnswer, misfitsAnswer } from '#shared/contract/configuration-definitions.ts';
import { MAX_IDS } from '#shared/rules/limits.ts';
import { writerOf } from '../records/write-request.ts';
import { findMisfitsOf } from './change.service.ts';
import { aboutDefinition, CHANGING, definitionOf, KINDS, requestedIn } from './definition-calls.ts';
import type { CollectionKind } from '#shared/rules/names.ts';

/** Which revisions and records have to be corrected before a definition can be changed. */
export function misfitRoutes(): AnyRoute[] {
  return [misfitRoute('archive'), misfitRoute('table')];
}

const FOUND = {
  archive: { of: 'revisions', key: 'revisionIds', answer: misfitsAnswer },
  table: { of: 'records', key: 'jrids', answer: misfitRecordsAnswer },
} as const;

function misfitRoute(kind: CollectionKind): AnyRoute {
  const { onePath, changeBody } = KINDS[kind];
  const { of, key, answer } = FOUND[kind];
  return definePreparedRoute({
    ...CHANGING,
    method: 'POST',
    path: `${onePath}/misfits`,
    ...aboutDefinition(kind),
    summary: `The ${of} whose values would not meet a changed definition`,
    description: `Nothing changes. At most ${MAX_IDS.toLocaleString('en')}, by their ids.`,
    body: changeBody,
    answer,
    idempotency: 'none',
    async prepare(database, request) {
      const { id } = await definitionOf(database, kind, request);
      const change = { kind, id, wanted: requestedIn(request.body), actor: writerOf(request) };
      const unguarded = { ...change, keepsMisfits: false, ifMatch: null };
      const ids = await findMisfitsOf(database, unguarded, MAX_IDS);
      return () => Promise.resolve({ body: { [key]: ids.map(String) } });
    },
  });
}
