import type { ArchiveDetail, Revision } from '#shared/contract/answers.ts';
import {
  type FieldValue,
  isEdited,
  isSameValue,
  parseField,
  toFieldValue,
} from '#web/fields/field-model.ts';
import { type ArchiveField, fieldAt, storedIn } from '#web/fields/index-data.ts';

/** The values of react-hook-form, in the order of `fieldsOf` (a name could be one that objects have already). */
export interface FormValues {
  values: FieldValue[];
}

/** The name of a field for react-hook-form, by its position in `fieldsOf`. */
export type InputName = `values.${number}`;

export const inputName = (at: number): InputName => `values.${at}`;

/** The type of a field's error that the service reported; it stays until the field is changed. */
export const SERVICE_ERROR = 'service';

/** The content of the editors, by path. */
export type FieldValues = ReadonlyMap<string, FieldValue>;

/** The user's unsaved changes of a revision, by path. */
export type FormEdits = FieldValues;

type StoredFields = Pick<Revision, 'indexFields' | 'keywordFields'>;

/** The label of a path; undefined if the archive has no such field. */
export function labelOf(archive: ArchiveDetail, path: string): string | undefined {
  return fieldAt(archive, path)?.label;
}

/** The editor content for a stored revision's field. */
export function storedFieldValue(revision: StoredFields, field: ArchiveField): FieldValue {
  return toFieldValue(field.definition, storedIn(revision, field));
}

/** The values of the form for a revision, with edits instead of stored values. */
export function valuesOf(
  fields: readonly ArchiveField[],
  revision: StoredFields,
  edits?: FormEdits,
): FormValues {
  return {
    values: fields.map((field) => {
      const value = edits?.get(field.path);
      return value === undefined ? storedFieldValue(revision, field) : value;
    }),
  };
}

/** The values of the form by path. */
export function byPath(
  fields: readonly ArchiveField[],
  { values }: FormValues,
): Map<string, FieldValue> {
  return new Map(fields.map(({ path }, at) => [path, values[at] ?? null]));
}

/**
 * The editor contents that differ from the revision.
 * @param isDirty whether a field, by its position, was changed at all; others are not compared
 */
export function editsOf(
  fields: readonly ArchiveField[],
  revision: StoredFields,
  { values }: FormValues,
  isDirty: (at: number) => boolean = () => true,
): FormEdits {
  const edits = new Map<string, FieldValue>();
  for (const [at, field] of fields.entries()) {
    const value = values[at] ?? null;
    if (isDirty(at) && isEdited(field.definition, storedIn(revision, field), value)) {
      edits.set(field.path, value);
    }
  }
  return edits;
}

/** The changes in the editors between two moments. */
export function changedBetween(
  fields: readonly ArchiveField[],
  before: FormValues,
  after: FormValues,
): FormEdits {
  const was = byPath(fields, before);
  const now = [...byPath(fields, after)];
  return new Map(now.filter(([path, value]) => !isSameValue(value, was.get(path))));
}

/** The content of the editors after saving: `1000` may be an abbreviation of an option. */
export function asSaved(fields: readonly ArchiveField[], { values }: FormValues): FieldValues {
  return new Map(
    fields.map(({ path, definition }, at) => {
      const value = values[at] ?? null;
      const parsed = parseField(definition, value);
      return [path, parsed.ok ? toFieldValue(definition, parsed.value) : value];
    }),
  );
}
