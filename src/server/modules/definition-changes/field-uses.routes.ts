import { defineRead, type AnyRoute, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import { fieldUsesAnswer } from '#shared/contract/field-uses.ts';
import { requireDefinition } from './definition-calls.ts';
import { readFieldUses } from './field-uses.service.ts';

const PLACES = [
  { kind: 'archive', path: 'configuration/archives/:archive/fields/:name/uses' },
  { kind: 'table', path: 'configuration/tables/:guid/columns/:name/uses' },
] as const;

/** Where fields are used. */
export function fieldUseRoutes(): AnyRoute[] {
  return PLACES.map(({ kind, path }) =>
    defineRead({
      path,
      summary: `The views, queues, checks, look-ups and rights that name a field of the ${kind}`,
      ...FOR_ADMINISTRATORS,
      answer: fieldUsesAnswer,
      async handle(db, { params }) {
        const found = await requireDefinition(db, kind, params);
        return { body: { uses: await readFieldUses(db, found, params['name'] ?? '') } };
      },
    }),
  );
}
