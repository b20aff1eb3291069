import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Dataset, TableDetail } from '#shared/contract/answers.ts';
import type { IndexField } from '#shared/rules/definitions.ts';
import { joinList } from '#shared/rules/comma-list.ts';
import { isSameName } from '#shared/rules/names.ts';
import { archiveQuery, archivesQuery } from '#web/api/archives.queries.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { readCount } from '#web/api/record-lists.ts';
import { tableKeys, tableQuery, tablesQuery } from '#web/api/tables.queries.ts';

/** A use of a record's value. */
export interface Use {
  readonly collection: CollectionRef;
  /** the name of the archive or table */
  readonly of: string;
  /** the label of the field */
  readonly label: string;
  /** null: one of several */
  readonly value: string | null;
  readonly count: number;
}

/**
 * The uses of records' values in fields with options from their table, in the archives and tables that the user may
 * see.
 * @param datasets at most `MAX_CHECKED_FOR_USES` (`use-delete-confirmation.ts`)
 */
export const usesQuery = (username: string, table: TableDetail, datasets: readonly Dataset[]) =>
  queryOptions({
    queryKey: [...tableKeys.one(table.guid), 'uses', JSON.stringify(datasets)],
    queryFn: async ({ client, signal }) => {
      const lists = [...(await archivesOf(client, username)), ...(await tablesOf(client))];
      const counted = lists.flatMap(({ collection, of, fields }) =>
        fields.map(async ({ name, label, optionsFrom: from }): Promise<Use[]> => {
          if (!from || !isSameName(from.table, table.name)) return [];
          const values = valuesIn(datasets, from.column);
          if (values.length === 0) return [];
          const where = [{ field: name, op: 'in', value: joinList(values) } as const];
          const count = await readCount(collection, { where }, signal);
          const [only, another] = values;
          const value = another === undefined ? (only ?? null) : null;
          return count > 0 ? [{ collection, of, label, value, count }] : [];
        }),
      );
      return (await Promise.all(counted)).flat();
    },
    staleTime: 0,
    gcTime: 0,
  });

/** An archive or table with the fields that may have options from another one. */
interface ReferringList {
  readonly collection: CollectionRef;
  readonly of: string;
  readonly fields: readonly Pick<IndexField, 'name' | 'label' | 'optionsFrom'>[];
}

async function archivesOf(client: QueryClient, username: string): Promise<ReferringList[]> {
  const archives = await client.query(archivesQuery(username));
  return Promise.all(
    archives.map(async ({ table, name }) => ({
      collection: { kind: 'archive', id: table } as const,
      of: name,
      fields: (await client.query(archiveQuery(username, table))).indexFieldDefinitions,
    })),
  );
}

async function tablesOf(client: QueryClient): Promise<ReferringList[]> {
  const tables = await client.query(tablesQuery);
  return Promise.all(
    tables.map(async ({ guid, label }) => ({
      collection: { kind: 'table', id: guid } as const,
      of: label,
      fields: (await client.query(tableQuery(guid))).columns,
    })),
  );
}

/** The different values of records in a column, as texts; empty ones are left out. */
function valuesIn(datasets: readonly Dataset[], column: string): string[] {
  const values = datasets.flatMap((dataset) => {
    const name = Object.keys(dataset).find((one) => isSameName(one, column));
    return name === undefined ? [] : String(dataset[name] ?? '');
  });
  return [...new Set(values)].filter((value) => value !== '');
}
