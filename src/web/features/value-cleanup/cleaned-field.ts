import { keywordFieldName } from '#shared/rules/names.ts';
import type { ArchiveDetail, TableDetail } from '#shared/contract/answers.ts';
import { isText } from '#shared/values/registry.ts';
import type { ValueRules } from '#shared/values/value-rules.ts';
import { type BulkTarget, bulkTargetOfArchive, bulkTargetOfTable } from '#web/api/bulk-target.ts';

/** A text field or keyword field of an archive or table whose values are cleaned up. */
export interface CleanedField {
  readonly target: BulkTarget;
  /** of a keyword field `keyword.NAME` */
  readonly name: string;
  readonly label: string;
  readonly mayWrite: boolean;
}

/** The text index field or keyword field with this name; null: none. */
export function cleanedFieldOfArchive(archive: ArchiveDetail, name: string): CleanedField | null {
  const keywordFields = archive.keywordFieldDefinitions.map((field) => ({
    ...field,
    name: keywordFieldName(field.name),
    type: 'text' as const,
  }));
  const fields = [...archive.indexFieldDefinitions, ...keywordFields];
  return find(bulkTargetOfArchive(archive), fields, archive.rights !== 'read', name);
}

/** The text column with this name; null: none. */
export function cleanedFieldOfTable(table: TableDetail, name: string): CleanedField | null {
  return find(bulkTargetOfTable(table), table.columns, table.rights !== 'read', name);
}

type Field = Pick<ValueRules, 'type'> & {
  readonly name: string;
  readonly label: string;
  readonly readOnly?: boolean | undefined;
  readonly unique?: boolean | undefined;
};

function find(
  target: BulkTarget,
  fields: readonly Field[],
  mayWrite: boolean,
  name: string,
): CleanedField | null {
  const field = fields.find((candidate) => candidate.name === name);
  if (!field || !isText(field)) return null;
  const isWritable = mayWrite && field.readOnly !== true && field.unique !== true;
  return { target, name, label: field.label, mayWrite: isWritable };
}
