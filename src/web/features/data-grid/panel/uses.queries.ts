import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Dataset, TableDetail } from '#shared/answers.ts';
import type { IndexField } from '#shared/definitions.ts';
import { nameKey } from '#shared/names.ts';
import type { Scalar } from '#shared/values.ts';
import { answers } from '#web/api/answers.ts';
import { archiveQuery, archivesQuery } from '#web/api/archives.queries.ts';
import { listQueryString, type Where } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';
import { tableKeys, tableQuery, tablesQuery } from '#web/api/tables.queries.ts';

type Field = Pick<IndexField, 'name' | 'label' | 'optionsFrom'>;

/** A field that takes its options from a table: an archive's, or a column of another table. */
interface Taker {
  readonly of: string;
  readonly what: 'revision' | 'dataset';
  readonly field: Field;
  /** the other table's column */
  readonly column: string;
  readonly countPath: string;
}

/** Where a value of a record is in use. */
export interface Use {
  /** the archive or table */
  readonly of: string;
  readonly what: 'revision' | 'dataset';
  readonly label: string;
  readonly value: string;
  readonly count: number;
}

/**
 * Where the values of a record stand in fields that take their options from its table, in the archives and
 * tables that the user may see.
 */
export const usesQuery = (username: string, table: TableDetail, dataset: Dataset) =>
  queryOptions({
    queryKey: [...tableKeys.one(table.guid), 'uses', dataset.jrid, valuesOf(dataset)],
    queryFn: async ({ client, signal }) => {
      const takers = [
        ...(await takersInArchives(client, username, table)),
        ...(await takersInTables(client, table)),
      ];
      const counted = await Promise.all(
        takers.map(async (taker) => {
          const value = valueAt(dataset, taker.column);
          if (value === null || value === '') return [];
          const count = await countOf(taker, value, signal);
          const { of, what, field } = taker;
          return count > 0 ? [{ of, what, label: field.label, value: String(value), count }] : [];
        }),
      );
      return counted.flat();
    },
    staleTime: 0,
    gcTime: 0,
  });

async function takersInArchives(
  client: QueryClient,
  username: string,
  table: TableDetail,
): Promise<Taker[]> {
  const archives = await client.query(archivesQuery(username));
  const details = await Promise.all(
    archives.map((archive) => client.query(archiveQuery(username, archive.table))),
  );
  return details.flatMap((archive) =>
    takersAmong(archive.indexFieldDefinitions, table).map((taker) => ({
      ...taker,
      of: archive.name,
      what: 'revision' as const,
      countPath: apiPaths.indexCount(archive.table),
    })),
  );
}

async function takersInTables(client: QueryClient, table: TableDetail): Promise<Taker[]> {
  const tables = await client.query(tablesQuery);
  const details = await Promise.all(tables.map(({ guid }) => client.query(tableQuery(guid))));
  return details.flatMap((other) =>
    takersAmong(other.columns, table).map((taker) => ({
      ...taker,
      of: other.label,
      what: 'dataset' as const,
      countPath: apiPaths.datasetCount(other.guid),
    })),
  );
}

function takersAmong(fields: readonly Field[], table: TableDetail) {
  return fields.flatMap((field) => {
    const from = field.optionsFrom;
    return from && nameKey(from.table) === nameKey(table.name)
      ? [{ field, column: from.column }]
      : [];
  });
}

async function countOf({ field, countPath }: Taker, value: Scalar, signal: AbortSignal) {
  const where: Where = { field: field.name, op: 'eq', value: String(value) };
  const { data } = await read(countPath + listQueryString({ where: [where] }), {
    signal,
    parse: async (raw) => (await answers()).countAnswer.parse(raw).count,
  });
  return data;
}

function valueAt(dataset: Dataset, column: string): Scalar {
  const name = Object.keys(dataset).find((one) => nameKey(one) === nameKey(column));
  return name === undefined ? null : (dataset[name] ?? null);
}

function valuesOf(dataset: Dataset): string {
  return JSON.stringify(dataset);
}
