import type { ArchiveDetail, Revision } from '#shared/contract/answers.ts';
import { parseKeyword } from '#shared/values/keywords.ts';
import { checkRules, parseValue, type Scalar } from '#shared/values/values.ts';
import { parseFieldValue } from '#web/fields/typed-text.ts';
import { valueText } from '#web/fields/value-text.ts';

export type IndexFieldDefinition = ArchiveDetail['indexFieldDefinitions'][number];

/** The stored value of an index field, or the stored keywords of a keyword field. */
export type Stored = Scalar | readonly string[];

/** What one editor holds: the text of an index field (null: no value), or the keywords of a keyword field. */
export type FieldValue = string | null | readonly string[];

/** A field of the form. */
export interface FormField {
  /** as the service names it in errors: `indexFields.NAME`, `keywordFields.NAME` */
  readonly place: string;
  readonly name: string;
  readonly label: string;
  /** null: a keyword field */
  readonly definition: IndexFieldDefinition | null;
}

/** The values of react-hook-form, in the order of `fieldsOf` (a name could be one that objects have already). */
export interface FormValues {
  values: FieldValue[];
}

/** The name of a field for react-hook-form, by its position in `fieldsOf`. */
export type FormPath = `values.${number}`;

export const pathOf = (at: number): FormPath => `values.${at}`;

/** The type of a field's error that the service reported; it stays until the field is changed. */
export const SERVICE_ERROR = 'service';

/** What the editors hold, by place. */
export type FieldValues = ReadonlyMap<string, FieldValue>;

/** What a clerk has changed in a revision and not saved, by place. */
export type Edits = FieldValues;

type StoredFields = Pick<Revision, 'indexFields' | 'keywordFields'>;

/** The fields of an archive's form: the index fields, then the keyword fields. */
export function fieldsOf(archive: ArchiveDetail): readonly FormField[] {
  return [
    ...archive.indexFieldDefinitions.map((definition): FormField => {
      const { name, label } = definition;
      return { place: `indexFields.${name}`, name, label, definition };
    }),
    ...archive.keywordFieldDefinitions.map(({ name, label }): FormField => ({
      place: `keywordFields.${name}`,
      name,
      label,
      definition: null,
    })),
  ];
}

export function fieldAt(archive: ArchiveDetail, place: string): FormField | undefined {
  return fieldsOf(archive).find((field) => field.place === place);
}

/** The label of a place, undefined where the archive has no such field. */
export function labelOf(archive: ArchiveDetail, place: string): string | undefined {
  return fieldAt(archive, place)?.label;
}

/** What a revision stores in a field. */
export function storedIn(revision: StoredFields, { name, definition }: FormField): Stored {
  return definition
    ? (revision.indexFields.find((field) => field.name === name)?.value ?? null)
    : revision.keywordFields.filter((entry) => entry.name === name).map(({ value }) => value);
}

/** A stored value as the editor of the field holds it. */
export function toFieldValue({ definition }: FormField, stored: Stored): FieldValue {
  return isList(stored) ? stored : valueText(stored, definition ?? undefined);
}

/** What the editor of a field holds for a revision as it is stored. */
export function storedFieldValue(revision: StoredFields, field: FormField): FieldValue {
  return toFieldValue(field, storedIn(revision, field));
}

/** The values of the form for a revision, with edits in place of what is stored. */
export function valuesOf(
  fields: readonly FormField[],
  revision: StoredFields,
  edits?: Edits,
): FormValues {
  return {
    values: fields.map((field) => {
      const value = edits?.get(field.place);
      return value === undefined ? storedFieldValue(revision, field) : value;
    }),
  };
}

/** The values of the form by place. */
export function byPlace(
  fields: readonly FormField[],
  { values }: FormValues,
): Map<string, FieldValue> {
  return new Map(fields.map(({ place }, at) => [place, values[at] ?? null]));
}

/** Whether an editor holds another value than the stored one; `1.50` is the same value as 1.5. */
export function isEdited(field: FormField, stored: Stored, value: FieldValue): boolean {
  if (isSameValue(value, toFieldValue(field, stored))) return false;
  if (!field.definition || isList(value)) return true;
  const parsed = parseValue(field.definition, value);
  return !parsed.ok || parsed.value !== stored;
}

/**
 * What the editors hold and the revision does not store.
 * @param isDirty whether a field, by its position, was changed at all; others are not compared
 */
export function editsOf(
  fields: readonly FormField[],
  revision: StoredFields,
  { values }: FormValues,
  isDirty: (at: number) => boolean = () => true,
): Edits {
  const edits = new Map<string, FieldValue>();
  for (const [at, field] of fields.entries()) {
    const value = values[at] ?? null;
    if (isDirty(at) && isEdited(field, storedIn(revision, field), value))
      edits.set(field.place, value);
  }
  return edits;
}

/** What was changed in the editors between two moments. */
export function changedBetween(
  fields: readonly FormField[],
  before: FormValues,
  after: FormValues,
): Edits {
  const was = byPlace(fields, before);
  const now = [...byPlace(fields, after)];
  return new Map(now.filter(([place, value]) => !isSameValue(value, was.get(place))));
}

/** What is wrong with the content of an editor; null: nothing. */
export function problemOf({ definition }: FormField, value: FieldValue): string | null {
  const parsed = isList(value)
    ? value.map(parseKeyword).find(({ ok }) => !ok)
    : definition && parseFieldValue(definition, value);
  return !parsed || parsed.ok ? null : parsed.message;
}

/** Why today's definition would refuse a stored value; null: it would not. */
export function storedProblem({ definition }: FormField, stored: Stored): string | null {
  if (!definition || isList(stored)) return null;
  const checked = checkRules(definition, stored);
  return checked.ok ? null : checked.message;
}

/** What the editors would hold once they are saved: `1000` may be short for an option. */
export function asSaved(fields: readonly FormField[], values: FormValues): FieldValues {
  const held = byPlace(fields, values);
  for (const { place, definition } of fields) {
    const value = held.get(place) ?? null;
    if (!definition || isList(value)) continue;
    const parsed = parseFieldValue(definition, value);
    if (parsed.ok) held.set(place, valueText(parsed.value, definition));
  }
  return held;
}

/** Whether two editors hold the same, or two fields store the same. */
export function isSameValue<T extends Stored>(a: T | undefined, b: T | undefined): boolean {
  if (!isList(a) || !isList(b)) return a === b;
  return a.length === b.length && a.every((keyword, at) => keyword === b[at]);
}

/** Whether an editor holds nothing. */
export function isBlank(value: FieldValue | undefined): boolean {
  return value === undefined || value === null || value.length === 0;
}

/** The content of an editor in one line. */
export function fieldValueText(value: FieldValue): string {
  return isList(value) ? value.join(', ') : (value ?? '');
}

export function isList(value: Stored | undefined): value is readonly string[] {
  return typeof value === 'object' && value !== null;
}
