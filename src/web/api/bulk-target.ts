import * as texts from '#messages/common.ts';
import type { ArchiveDetail, TableDetail } from '#shared/contract/answers.ts';
import type { ValueRules } from '#shared/values/value-rules.ts';
import type { CollectionRef } from './api-paths.ts';

/** An archive or a data table as the target of imports and other jobs. */
export interface BulkTarget {
  readonly collection: CollectionRef;
  readonly name: string;
  readonly fields: readonly (Pick<ValueRules, 'type' | 'scale'> & {
    readonly name: string;
    readonly label: string;
    /** no two records have the same value; false for index fields */
    readonly unique: boolean;
  })[];
  readonly keywordFields: readonly { readonly name: string; readonly label: string }[];
  /** the names of its records and their parts on the screen */
  readonly words: {
    readonly id: string;
    readonly fields: string;
  };
}

export function bulkTargetOfArchive(archive: ArchiveDetail): BulkTarget {
  return {
    collection: { kind: 'archive', id: archive.table },
    name: archive.name,
    fields: archive.indexFieldDefinitions.map(({ name, label, type, scale }) => ({
      name,
      label,
      type,
      scale,
      unique: false,
    })),
    keywordFields: archive.keywordFieldDefinitions,
    words: { id: texts.revisionId, fields: texts.indexFields },
  };
}

export function bulkTargetOfTable(table: TableDetail): BulkTarget {
  return {
    collection: { kind: 'table', id: table.guid },
    name: table.label,
    fields: table.columns,
    keywordFields: [],
    words: { id: texts.recordNumber, fields: texts.columns },
  };
}
