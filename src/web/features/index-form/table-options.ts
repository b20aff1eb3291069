import type { QueryClient } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/answers.ts';
import { nameKey } from '#shared/names.ts';
import type { Scalar } from '#shared/values.ts';
import { answers } from '#web/api/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';

export type OptionsFrom = NonNullable<
  ArchiveDetail['indexFieldDefinitions'][number]['optionsFrom']
>;

/** Another index field and the text that it gets. */
export interface Fill {
  readonly name: string;
  readonly text: string | null;
}

/** A dataset of the table as something to choose. */
export interface TableOption {
  readonly value: string;
  readonly fills: readonly Fill[];
}

const MOST_SHOWN = 40;

/**
 * The datasets that hold what was typed, as options of a field (interface decisions, section 9).
 * None where the user may not see the table.
 * @throws {CallError}
 */
export async function readTableOptions(
  client: QueryClient,
  from: OptionsFrom,
  typed: string,
  signal: AbortSignal,
): Promise<TableOption[]> {
  const tables = await client.query(tablesQuery);
  const table = tables.find(({ name }) => nameKey(name) === nameKey(from.table));
  if (!table) return [];
  const query = new URLSearchParams({ limit: String(MOST_SHOWN) });
  if (typed !== '') query.set('q', typed);
  const { data } = await read(`${apiPaths.datasets(table.guid)}?${query}`, {
    signal,
    parse: async (raw) => (await answers()).datasetListAnswer.parse(raw).datasets,
  });
  const options = new Map<string, TableOption>();
  for (const dataset of data) {
    const columns = new Map(Object.entries(dataset).map(([name, value]) => [nameKey(name), value]));
    const value = textOf(columns.get(nameKey(from.column)));
    if (value === null || value === '' || options.has(value)) continue;
    const fills = Object.entries(from.fills).map(([name, column]) => ({
      name,
      text: textOf(columns.get(nameKey(column))),
    }));
    options.set(value, { value, fills });
  }
  return [...options.values()];
}

function textOf(value: Scalar | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}
