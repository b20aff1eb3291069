import * as texts from '#messages/service/records.ts';
import { suggestValuesInWorker } from './suggestions.reads.ts';
import { requireValid } from '#server/http/query.ts';
import { type AnyRoute, defineRead } from '#server/http/route.ts';
import { suggestionsAnswer } from '#shared/contract/workspace-answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';

const GIVEN = /^given\[(.+)\]$/;

/** Suggestions for an index field (correction desk). */
export function suggestionRoutes(): AnyRoute[] {
  return [
    defineRead({
      path: '{archives}/:archive/indices/:indexfield/suggestions',
      summary:
        'Values in use in an index field, first those that occur together with the values of other fields',
      target: 'archive',
      parameters: {
        q: 'a part of the value, ignoring case and accents',
        'given[FIELD]':
          'what the revision has in another index field, or in a keyword field (keyword.NAME)',
      },
      answer: suggestionsAnswer,
      async handle(db, { target, params, query }) {
        const name = params['indexfield'] ?? '';
        const index = indexOfName(target.fields, name);
        if (index < 0) throw new ApiError('not_found', texts.noIndexField({ name }));
        const reader = new QueryReader(query, ['q'], GIVEN);
        requireValid(reader);
        const given = reader.repeated.map(
          ([name, value]) => [GIVEN.exec(name)?.[1] ?? '', value] as const,
        );
        const q = reader.text('q') ?? '';
        return {
          body: {
            suggestions: await suggestValuesInWorker(db, target, index, { q, given }),
          },
        };
      },
    }),
  ];
}
