import type { CollectionKind } from '#shared/rules/names.ts';
import * as texts from '#messages/service/records.ts';
import {
  deletedDatasetsInWorker,
  groupsOfMatchingInWorker,
  positionInListInWorker,
  statisticsOfMatchingInWorker,
  statisticsOfSelectedInWorker,
} from './datasets.reads.ts';
import { requireValid } from '#server/http/query.ts';
import { type AnyRoute, definePreparedRoute, defineRead, ID_SCHEMA } from '#server/http/route.ts';
import { jridSchema } from '#shared/contract/requests.ts';
import { statisticsBody } from '#shared/contract/workspace-requests.ts';
import * as shapes from '#shared/contract/table-analysis-answers.ts';
import {
  COUNT_PARAMETERS,
  ID_PARAMETERS,
  LIST_PARAMETERS,
  readCollectionQuery,
} from '../records/lists.service.ts';

const DATASETS = '{tables}/:guid/datasets';

/** Positions, statistics, groups and deletions of the datasets that match a filter; groups also of revisions. */
export function analysisRoutes(): AnyRoute[] {
  return [
    defineRead({
      path: `${DATASETS}/position`,
      summary: 'The position of a dataset in a filtered and sorted list',
      target: 'table',
      parameters: {
        jrid: {
          description: 'the dataset',
          schema: ID_SCHEMA,
          required: true,
        },
        ...ID_PARAMETERS,
      },
      answer: shapes.positionAnswer,
      async handle(db, { target, query }) {
        const parts = ['where', 'q', 'sort'] as const;
        const { query: list, reader } = readCollectionQuery(target, query, ['jrid'], parts);
        const jrid = jridSchema.safeParse(reader.text('jrid'));
        if (!jrid.success) reader.refuse('jrid', texts.jridInvalid);
        requireValid(reader);
        const position = jrid.success
          ? await positionInListInWorker(db, target, list, jrid.data)
          : null;
        return { body: { position } };
      },
    }),
    defineRead({
      path: `${DATASETS}/deleted`,
      summary: 'The deleted datasets that were not restored, newest deletion first',
      target: 'table',
      parameters: {
        limit: 'datasets per page, 1 to 1,000; 50 by default',
        before: 'the `next` of the previous page',
      },
      answer: shapes.deletedAnswer,
      async handle(db, { target, query }) {
        return { body: await deletedDatasetsInWorker(db, target, query) };
      },
    }),
    defineRead({
      path: `${DATASETS}/facts`,
      summary:
        'Counts, minima, maxima, sums and means of the columns over all matching datasets, or over a range of their list',
      target: 'table',
      parameters: {
        columns: 'the columns, separated by commas; all by default',
        limit: {
          description: 'only the first rows of the list, 1 to 100,000, in the order of `sort`',
          schema: { type: 'integer', minimum: 1, maximum: 100_000 },
        },
        offset: 'rows to skip; with `offset` or `limit`, at most 100,000 rows are evaluated',
        ...ID_PARAMETERS,
      },
      answer: shapes.statisticsAnswer,
      async handle(db, { target, query }) {
        return { body: await statisticsOfMatchingInWorker(db, target, query) };
      },
    }),
    definePreparedRoute({
      method: 'POST',
      path: `${DATASETS}/facts`,
      summary:
        'Counts, minima, maxima, sums and means of the columns over datasets given by id, at most 100,000',
      target: 'table',
      access: 'read',
      body: statisticsBody,
      answer: shapes.statisticsAnswer,
      idempotency: 'none',
      async prepare(database, { target, body: { jrids, columns } }) {
        const facts = await database.read((db) =>
          statisticsOfSelectedInWorker(db, target, jrids, columns),
        );
        return () => Promise.resolve({ body: facts });
      },
    }),
    groupsRoute('table', `${DATASETS}/groups`),
    groupsRoute('archive', '{archives}/:archive/index/groups'),
  ];
}

function groupsRoute(kind: CollectionKind, path: string): AnyRoute {
  return defineRead({
    path,
    summary: `How many ${kind === 'table' ? 'datasets' : 'revisions'} that match have each value of one or two fields`,
    target: kind,
    parameters: {
      by: {
        description:
          'one column, or two separated by a comma; date-times are equal if they are the same instant. Or a keyword field, ' +
          '`keyword.NAME`: a record counts once for each of its values',
        schema: {
          type: 'string',
          pattern: String.raw`^(?:keyword\.)?[A-Za-z][A-Za-z0-9_]{0,62}(?:,[A-Za-z][A-Za-z0-9_]{0,62})?$`,
        },
        required: true,
      },
      sum: 'columns to sum in each group, separated by commas',
      startsWith: 'the beginning of the text in the first column, ignoring case and accents',
      like: 'a part of the text in the first column, ignoring case and accents',
      sort: {
        description:
          'count, -count (default), value or -value; equal counts by value, no value last',
        schema: { type: 'string', enum: [...shapes.GROUP_SORTS] },
      },
      limit: 'groups per page, 1 to 1,000; 100 by default',
      offset: 'groups to skip',
      total: LIST_PARAMETERS.total,
      ...COUNT_PARAMETERS,
    },
    answer: shapes.valueGroupsAnswer,
    async handle(db, { target, query }) {
      return { body: await groupsOfMatchingInWorker(db, target, query) };
    },
  });
}
