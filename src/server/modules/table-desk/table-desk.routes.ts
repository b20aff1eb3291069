import { type AnyRoute, defineRead } from '#server/http/route.ts';
import { ApiError } from '#shared/errors.ts';
import { jridSchema } from '#shared/requests.ts';
import * as answers from '#shared/table-desk.ts';
import { ID_PARAMETERS, listPosition } from '../records/lists.service.ts';
import { apart } from '../records/request.ts';

const DATASETS = '{tables}/:guid/datasets';

/** What the grid of a data table asks about all that match its filter, beside the pages of the list. */
export function tableDeskRoutes(): AnyRoute[] {
  return [
    defineRead({
      path: `${DATASETS}/position`,
      summary: 'Where a dataset stands in a filtered and sorted list',
      target: 'table',
      parameters: { jrid: 'the dataset', ...ID_PARAMETERS },
      answer: answers.positionAnswer,
      async handle(db, { target, query }) {
        const [{ jrid }, others] = apart(query, ['jrid']);
        const parsed = jridSchema.safeParse(jrid);
        if (!parsed.success) {
          throw new ApiError('malformed', { jrid: ['A jrid is a whole number.'] });
        }
        return { body: { position: await listPosition(db, target, others, parsed.data) } };
      },
    }),
  ];
}
