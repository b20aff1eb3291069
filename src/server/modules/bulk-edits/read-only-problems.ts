import * as texts from '#messages/service/records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isWritable } from '#server/database/records/collection-view.ts';
import type { FieldProblem } from '#shared/rules/bulk-edits.ts';
import { findByName, isSameName, keywordFieldName } from '#shared/rules/names.ts';

/** Why planned changes of a record are rejected: a problem for each read-only field. */
export function readOnlyProblems(
  collection: Collection,
  changes: readonly { readonly name: string }[],
): FieldProblem[] {
  if (!collection.restriction) return [];
  const { message } = texts.fieldReadOnly;
  return changes.flatMap(({ name }) => {
    const field =
      findByName(collection.fields, name) ??
      collection.keywordFields.find((one) => isSameName(keywordFieldName(one.name), name));
    return field && !isWritable(collection, field)
      ? [{ field: name, message, inWords: `${field.label}: ${message}` }]
      : [];
  });
}
