import type { KeywordField } from '#shared/rules/definitions.ts';
import type { FieldChange } from '#web/features/bulk-edit/change.ts';
import type { FieldValue } from '#web/fields/field-model.ts';
import type { LoadedRevision } from '#web/features/bulk-edit/read-revisions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { type ArchiveField, fieldsOf, type IndexFieldDefinition } from '#web/fields/index-data.ts';

/** An index field; what is not stated asks nothing of its values. */
export function indexField(
  given: Partial<IndexFieldDefinition> & Pick<IndexFieldDefinition, 'name'>,
): IndexFieldDefinition {
  return {
    label: given.name,
    type: 'text',
    required: false,
    maxLength: null,
    scale: null,
    options: null,
    min: null,
    max: null,
    pattern: null,
    description: '',
    optionsFrom: null,
    ...given,
  };
}

export function keywordField(name: string): KeywordField {
  return { name, label: name };
}

/** A revision as it was read, with these values and keywords. */
export function revisionRead(
  revisionId: string,
  values: Readonly<Record<string, Scalar>>,
  given: { keywords?: readonly (readonly [string, string])[]; lockedBy?: string } = {},
): LoadedRevision {
  return {
    revisionId,
    etag: `"${revisionId}"`,
    changedBy: 'somebody',
    lockedBy: given.lockedBy ?? null,
    indexFields: Object.entries(values).map(([name, value]) => ({ name, value })),
    keywordFields: (given.keywords ?? []).map(([name, value]) => ({ name, value })),
  };
}

/** The field of an archive with a definition. */
export function fieldOf(definition: IndexFieldDefinition | KeywordField): ArchiveField {
  const isIndexField = 'type' in definition;
  const [field] = fieldsOf({
    indexFieldDefinitions: isIndexField ? [definition] : [],
    keywordFieldDefinitions: isIndexField ? [] : [definition],
  });
  if (!field) throw new Error('No field');
  return field;
}

export function setTo(
  definition: IndexFieldDefinition | KeywordField,
  value: FieldValue,
): FieldChange {
  return { field: fieldOf(definition), value };
}
