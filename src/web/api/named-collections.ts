import { archives as archivesText, tables as tablesText } from '#messages/frame.ts';
import { labelAndName } from '#messages/labels.ts';
import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';
import type { CollectionRef } from './api-paths.ts';
import { repeatedLabels } from './repeated-labels.ts';

/** An archive or table and its name on the screen. */
export interface NamedCollection {
  readonly collection: CollectionRef;
  /** its label, with the internal name where others have the same label */
  readonly name: string;
}

/** The name of an archive or table on the screen. @param id the internal name of an archive, or the GUID of a table */
export function collectionName(collections: readonly NamedCollection[], id: string): string {
  return collections.find(({ collection }) => collection.id === id)?.name ?? id;
}

/** The archives and the tables with their names, in this order. */
export function namedCollections(
  archives: readonly ArchiveSummary[],
  tables: readonly TableSummary[],
): readonly NamedCollection[] {
  const labelled = [
    ...archives.map(({ table, name }) => ({
      collection: { kind: 'archive', id: table } as const,
      name: table,
      label: name,
    })),
    ...tables.map(({ guid, name, label }) => ({
      collection: { kind: 'table', id: guid } as const,
      name,
      label,
    })),
  ];
  const repeated = repeatedLabels(archives, tables);
  return labelled.map(({ collection, name, label }) => ({
    collection,
    name: repeated.has(label) ? labelAndName({ label, name }) : label,
  }));
}

/** The value of an archive or table in a choice of one of them. */
export const collectionOptionValue = ({ kind, id }: CollectionRef) => `${kind} ${id}`;

/** The options of a choice of an archive or table, each with its `collectionOptionValue`. */
export function collectionOptions(collections: readonly NamedCollection[]) {
  return collections.map(({ collection, name }) => ({
    value: collectionOptionValue(collection),
    label: name,
    group: collection.kind === 'archive' ? archivesText : tablesText,
  }));
}
