import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Dataset, TableDetail } from '#shared/contract/answers.ts';
import type { IndexField } from '#shared/rules/definitions.ts';
import { joinList } from '#shared/rules/comma-list.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { archiveQuery, archivesQuery } from '#web/api/archives.queries.ts';
import type { Where } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { readCount } from '#web/api/record-lists.ts';
import { tableKeys, tableQuery, tablesQuery } from '#web/api/tables.queries.ts';

type Field = Pick<IndexField, 'name' | 'label' | 'optionsFrom'>;

/** A field with options from a table: of an archive, or a column of another table. */
interface ReferringField {
  readonly of: string;
  readonly what: 'revision' | 'record';
  readonly field: Field;
  /** the other table's column */
  readonly column: string;
  readonly collection: CollectionRef;
}

/** A use of a record's value. */
export interface Use {
  /** the archive or table */
  readonly of: string;
  readonly what: 'revision' | 'record';
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
      const referringFields = [
        ...(await referringFieldsInArchives(client, username, table)),
        ...(await referringFieldsInTables(client, table)),
      ];
      const counted = await Promise.all(
        referringFields.map(async (referring) => {
          const stored = datasets.map((dataset) => valueAt(dataset, referring.column));
          const values = [...new Set(stored.flatMap((value) => value ?? []).map(String))];
          const [first, second] = values.filter((value) => value !== '');
          if (first === undefined) return [];
          const count = await countOf(referring, values, signal);
          const { of, what, field } = referring;
          const value = second === undefined ? first : null;
          return count > 0 ? [{ of, what, label: field.label, value, count }] : [];
        }),
      );
      return counted.flat();
    },
    staleTime: 0,
    gcTime: 0,
  });

async function referringFieldsInArchives(
  client: QueryClient,
  username: string,
  table: TableDetail,
): Promise<ReferringField[]> {
  const archives = await client.query(archivesQuery(username));
  const details = await Promise.all(
    archives.map((archive) => client.query(archiveQuery(username, archive.table))),
  );
  return details.flatMap((archive) =>
    referringFieldsAmong(archive.indexFieldDefinitions, table).map((referring) => ({
      ...referring,
      of: archive.name,
      what: 'revision' as const,
      collection: { kind: 'archive' as const, id: archive.table },
    })),
  );
}

async function referringFieldsInTables(
  client: QueryClient,
  table: TableDetail,
): Promise<ReferringField[]> {
  const tables = await client.query(tablesQuery);
  const details = await Promise.all(tables.map(({ guid }) => client.query(tableQuery(guid))));
  return details.flatMap((other) =>
    referringFieldsAmong(other.columns, table).map((referring) => ({
      ...referring,
      of: other.label,
      what: 'record' as const,
      collection: { kind: 'table' as const, id: other.guid },
    })),
  );
}

function referringFieldsAmong(fields: readonly Field[], table: TableDetail) {
  return fields.flatMap((field) => {
    const from = field.optionsFrom;
    return from && nameKey(from.table) === nameKey(table.name)
      ? [{ field, column: from.column }]
      : [];
  });
}

async function countOf(
  { field, collection }: ReferringField,
  values: readonly string[],
  signal: AbortSignal,
) {
  const [first = '', ...others] = values.filter((value) => value !== '');
  const where: Where =
    others.length === 0
      ? { field: field.name, op: 'eq', value: first }
      : { field: field.name, op: 'in', value: joinList([first, ...others]) };
  return readCount(collection, { where: [where] }, signal);
}

function valueAt(dataset: Dataset, column: string): Scalar {
  const name = Object.keys(dataset).find((one) => nameKey(one) === nameKey(column));
  return name === undefined ? null : (dataset[name] ?? null);
}
