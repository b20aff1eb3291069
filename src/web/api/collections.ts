import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';
import type { CollectionRef } from './api-paths.ts';
import { archiveKeys } from './archives.queries.ts';
import { tableKeys } from './tables.queries.ts';

/** The beginning of the query keys of everything about an archive or table. */
export const collectionKey = ({ kind, id }: CollectionRef) =>
  kind === 'archive' ? archiveKeys.one(id) : tableKeys.one(id);

/** An archive or table and its name on the screen. */
export interface NamedCollection {
  readonly collection: CollectionRef;
  readonly name: string;
}

/** The archives and the tables with their names, in this order. */
export function namedCollections(
  archives: readonly ArchiveSummary[],
  tables: readonly TableSummary[],
): readonly NamedCollection[] {
  return [
    ...archives.map(({ table, name }): NamedCollection => ({
      collection: { kind: 'archive', id: table },
      name,
    })),
    ...tables.map(({ guid, label }): NamedCollection => ({
      collection: { kind: 'table', id: guid },
      name: label,
    })),
  ];
}
