import { queryOptions } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import { findByName } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/values.ts';
import { answers } from '#web/api/load-answer-schemas.ts';
import { listQueryString } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { read } from '#web/api/request.ts';
import { tableKeys, tableQuery, tablesQuery } from '#web/api/tables.queries.ts';

type OptionsFrom = NonNullable<Column['optionsFrom']>;

/** The record of another table that a value refers to; null if there is none or the user may not see the table. */
export const otherRecordQuery = (guid: string, from: OptionsFrom, value: Scalar) =>
  queryOptions({
    queryKey: [...tableKeys.one(guid), 'other record', from.table, from.column, value],
    queryFn: async ({ client, signal }) => {
      const tables = await client.query(tablesQuery);
      const summary = findByName(tables, from.table);
      if (!summary) return null;
      const table = await client.query(tableQuery(summary.guid));
      const column = findByName(table.columns, from.column);
      if (!column) return null;
      const where = [{ field: column.name, op: 'eq' as const, value: String(value) }];
      const { data } = await read(
        apiPaths.datasets(table.guid) + listQueryString({ where }, { limit: 1 }),
        {
          signal,
          parse: async (raw) => (await answers()).datasetListAnswer.parse(raw).datasets,
        },
      );
      const [found] = data;
      return found ? { guid: table.guid, label: table.label, jrid: found.jrid } : null;
    },
    enabled: value !== null && value !== '',
    retry: false,
    staleTime: 60_000,
  });
