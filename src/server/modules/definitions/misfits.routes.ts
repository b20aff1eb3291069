import * as httpTexts from '#messages/service/http.ts';
import { definePreparedRoute, type AnyRoute } from '#server/http/route.ts';
import { changeArchiveBody } from '#shared/contract/configuration-bodies.ts';
import { misfitsAnswer } from '#shared/contract/configuration-definitions.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { MAX_IDS } from '#shared/rules/limits.ts';
import { writerOf } from '../records/write-request.ts';
import { findMisfitsOf } from './change.service.ts';
import { findDefinition } from './definitions.store.ts';

/** Which documents have to be corrected before a definition can be changed. */
export function misfitRoutes(): AnyRoute[] {
  return [
    definePreparedRoute({
      method: 'POST',
      path: 'configuration/archives/:archive/misfits',
      summary: 'The revisions whose values would not meet a changed definition',
      description: `Nothing changes. At most ${MAX_IDS.toLocaleString('en')}, by their ids.`,
      target: 'none',
      isForAdministrators: true,
      access: 'manage',
      query: 'none',
      body: changeArchiveBody,
      answer: misfitsAnswer,
      status: 200,
      idempotency: 'none',
      async prepare(database, request) {
        const key = request.params['archive'] ?? '';
        const archive = await database.read((db) => findDefinition(db, 'archive', key));
        if (!archive) throw new ApiError('not_found', httpTexts.noArchive);
        const change = {
          kind: 'archive',
          id: archive.id,
          wanted: request.body.archive,
          keepsMisfits: false,
          actor: writerOf(request),
          ifMatch: null,
        } as const;
        const ids = await findMisfitsOf(database, change, MAX_IDS);
        return () => Promise.resolve({ body: { revisionIds: ids.map(String) } });
      },
    }),
  ];
}
