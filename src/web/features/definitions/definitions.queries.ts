import { queryOptions } from '@tanstack/react-query';
import { administrationAnswers, onlyItem } from '#web/api/load-answer-schemas.ts';
import { readHistory } from '#web/api/history.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { read, readData } from '#web/api/request.ts';
import { fromArchive, fromTable } from './collection-definition.ts';
import type { CollectionKind } from '#shared/rules/names.ts';

/** Keys of everything read about definitions. */
export const definitionKeys = {
  all: ['definitions'] as const,
  one: (kind: CollectionKind, id: string) => ['definitions', kind, id] as const,
};

/** All archives and tables, also retired ones. */
export const definitionsQuery = queryOptions({
  queryKey: [...definitionKeys.all, 'list'],
  queryFn: async ({ signal }) => {
    const [archives, tables] = await Promise.all([
      read(apiPaths.definitions('archive'), { signal, parse: parseArchives }),
      read(apiPaths.definitions('table'), { signal, parse: parseTables }),
    ]);
    return [...archives.data, ...tables.data];
  },
});

/** One definition with the ETag that a change needs. */
export const definitionQuery = (kind: CollectionKind, id: string) =>
  queryOptions({
    queryKey: definitionKeys.one(kind, id),
    queryFn: async ({ signal }) => {
      const { data, etag } = await read(apiPaths.definition(kind, id), {
        signal,
        parse: parserOf(kind),
      });
      return { definition: onlyItem(data), etag };
    },
    // A change by someone else must not replace what is being edited.
    refetchOnWindowFocus: false,
  });

/** The changes of a definition, newest first. */
export const definitionHistoryQuery = (kind: CollectionKind, id: string) =>
  queryOptions({
    queryKey: [...definitionKeys.one(kind, id), 'history'],
    queryFn: ({ signal }) => readHistory(apiPaths.definitionHistory(kind, id), signal),
  });

export function parserOf(kind: CollectionKind) {
  return kind === 'archive' ? parseArchives : parseTables;
}

async function parseArchives(raw: unknown) {
  return (await administrationAnswers()).definedArchivesAnswer.parse(raw).archives.map(fromArchive);
}

async function parseTables(raw: unknown) {
  return (await administrationAnswers()).definedTablesAnswer.parse(raw).tables.map(fromTable);
}

/** How often a job is read while it runs, in milliseconds. */
const JOB_INTERVAL = 1_000;

/** A job that changes or purges a definition; polled while it runs. */
export const definitionJobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job of a definition', jobId],
    queryFn: ({ signal }) =>
      readData(administrationPaths.definitionJob(jobId), {
        signal,
        parse: async (raw) => onlyItem((await administrationAnswers()).jobsAnswer.parse(raw).jobs),
      }),
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) =>
      !error && data?.state === 'running' ? JOB_INTERVAL : false,
  });

/**
 * The uses of a field, read each time they are shown.
 * @param version of the definition that has the field under this name: after a change it may have another one
 */
export const fieldUsesQuery = (kind: CollectionKind, id: string, version: number, field: string) =>
  queryOptions({
    // Not below the keys of definitions: those are invalidated before the designer has the new names.
    queryKey: ['uses of a field', kind, id, version, field],
    staleTime: 0,
    queryFn: ({ signal }) =>
      readData(apiPaths.fieldUses(kind, id, field), {
        signal,
        parse: async (raw) => (await administrationAnswers()).fieldUsesAnswer.parse(raw).uses,
      }),
  });

/** The size and the last change of each archive and table, by id. */
export const collectionSizesQuery = queryOptions({
  queryKey: [...definitionKeys.all, 'sizes'],
  queryFn: async ({ signal }) => {
    const data = await readData(administrationPaths.collectionSizes(), {
      signal,
      parse: async (raw) =>
        (await administrationAnswers()).collectionSizesAnswer.parse(raw).collections,
    });
    return new Map(data.map((size) => [size.archive ?? size.table ?? '', size]));
  },
});
