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
