import type { CollectionKind } from '#shared/rules/names.ts';
import { requireValid } from '#server/http/query.ts';
import type { Config } from '#server/config.ts';
import { defineRead, type AnyRoute } from '#server/http/route.ts';
import {
  DEFAULT_FIGURE_DAYS,
  figuresAnswer,
  MAX_FIGURE_DAYS,
} from '#shared/contract/check-figures.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';
import { allows } from '#shared/rules/rights.ts';
import { readFiguresInWorker } from './checks.reads.ts';

/** The figures of findings (docs/interface/checks.md, section 4). */
export function figureRoutes({ figuresByPerson }: Pick<Config, 'figuresByPerson'>): AnyRoute[] {
  const route = (target: CollectionKind, path: string) =>
    defineRead({
      path: `${path}/checks/figures`,
      summary: `The findings of the checks of the ${target}, now and on the last days, and the corrections`,
      description:
        'As of the last count of each check; a write is followed within 2 s. By field and origin the newest records with findings are counted.',
      target,
      parameters: {
        days: {
          description: `number of days up to today; ${DEFAULT_FIGURE_DAYS} by default`,
          schema: { type: 'integer', minimum: 1, maximum: MAX_FIGURE_DAYS },
        },
      },
      answer: figuresAnswer,
      cost: 'heavy',
      async handle(db, { target: collection, caller, access, query }) {
        const reader = new QueryReader(query, ['days']);
        const days = reader.integer('days', DEFAULT_FIGURE_DAYS, 1, MAX_FIGURE_DAYS);
        requireValid(reader);
        const includesUsers = figuresByPerson && allows(access, 'manage');
        const wanted = { days, userId: caller.viewer ? null : caller.userId, includesUsers };
        return { body: await readFiguresInWorker(db, collection, wanted) };
      },
    });
  return [route('archive', '{archives}/:archive'), route('table', '{tables}/:guid')];
}
