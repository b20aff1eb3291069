import { defineRead, type AnyRoute, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import { fieldUsesAnswer } from '#shared/contract/field-uses.ts';
import { aboutDefinition, KINDS, requireDefinition } from './definition-calls.ts';
import { readFieldUses } from './field-uses.service.ts';

/** Where fields are used. */
export function fieldUseRoutes(): AnyRoute[] {
  return (['archive', 'table'] as const).map((kind) =>
    defineRead({
      path: `${KINDS[kind].onePath}/${kind === 'archive' ? 'fields' : 'columns'}/:name/uses`,
      ...aboutDefinition(kind),
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
