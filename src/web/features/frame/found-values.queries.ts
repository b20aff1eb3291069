import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';
import { isText } from '#shared/values/registry.ts';
import { archiveKeys, archiveQuery } from '#web/api/archives.queries.ts';
import type { ListFilter } from '#web/api/list-view.ts';
import { readDatasets, readIndex } from '#web/api/record-lists.ts';
import { tableKeys, tableQuery } from '#web/api/tables.queries.ts';
import { pause } from '#web/api/create-store.ts';
import { valueText } from '#web/fields/value-text.ts';
import { type Destination, foundRecord, foundRevision } from './destinations.ts';

/** Maximum number of results per archive and table. */
const LIMIT = 4;
/** Delay after the last key press before a query is sent, in milliseconds. */
const DEBOUNCE = 150;

/** Fewer characters occur in nearly every value. */
export const MIN_SEARCH_LENGTH = 2;

/** Revisions of an archive whose first text field contains the typed text. */
export const revisionsFoundQuery = (
  client: QueryClient,
  username: string,
  { table, name: of }: ArchiveSummary,
  typed: string,
) =>
  queryOptions({
    queryKey: [...archiveKeys.one(table), 'found by first field', typed],
    queryFn: async ({ signal }): Promise<Destination[]> => {
      await pause(DEBOUNCE, signal);
      const { indexFieldDefinitions } = await client.ensureQueryData(archiveQuery(username, table));
      const field = indexFieldDefinitions.find(isText);
      if (!field) return [];
      const filter = searchOf(field.name, typed);
      const { archivedocuments } = await readIndex(table, filter, { limit: LIMIT }, signal);
      return archivedocuments.map(({ revisionId, indexFields }) => {
        const value = indexFields.find(({ name }) => name === field.name)?.value ?? null;
        return foundRevision(table, revisionId, valueText(value) ?? '', of);
      });
    },
    staleTime: 10_000,
  });

/** Records of a table whose first text column contains the typed text. */
export const recordsFoundQuery = (
  client: QueryClient,
  { guid, label: of }: TableSummary,
  typed: string,
) =>
  queryOptions({
    queryKey: [...tableKeys.one(guid), 'found by first column', typed],
    queryFn: async ({ signal }): Promise<Destination[]> => {
      await pause(DEBOUNCE, signal);
      const { columns } = await client.ensureQueryData(tableQuery(guid));
      const column = columns.find(isText);
      if (!column) return [];
      const filter = searchOf(column.name, typed);
      const { datasets } = await readDatasets(guid, filter, { limit: LIMIT }, signal);
      return datasets.map((dataset) =>
        foundRecord(guid, dataset.jrid, valueText(dataset[column.name] ?? null) ?? '', of),
      );
    },
    staleTime: 10_000,
  });

function searchOf(field: string, typed: string): ListFilter {
  return { where: [{ field, op: 'like', value: typed }] };
}
