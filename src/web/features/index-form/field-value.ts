import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { FieldChange, Stored } from '#web/api/undo.ts';
import { parseFieldValue } from '#web/fields/typed-text.ts';
import { valueText } from '#web/fields/value-text.ts';
import {
  type FormValues,
  isEdited,
  sameKeywords,
  storedKeywords,
  storedValue,
} from './form-values.ts';

/** What one editor holds: the text of an index field (null: no value), or the keywords of a keyword field. */
export type Held = string | null | readonly string[];

/** What the editors hold, by the places of the service: `indexFields.NAME`, `keywordFields.NAME`. */
export type FieldValues = ReadonlyMap<string, Held>;

/** The places of a form's fields, in the order they stand in. */
export function placesOf(archive: ArchiveDetail): string[] {
  return [
    ...archive.indexFieldDefinitions.map(({ name }) => `indexFields.${name}`),
    ...archive.keywordFieldDefinitions.map(({ name }) => `keywordFields.${name}`),
  ];
}

/** What stands in the editors now. */
export function fieldValues(archive: ArchiveDetail, values: FormValues): FieldValues {
  return new Map<string, Held>([
    ...archive.indexFieldDefinitions.map(
      ({ name }, at) => [`indexFields.${name}`, values.fields[at]?.text ?? null] as const,
    ),
    ...archive.keywordFieldDefinitions.map(
      ({ name }, at) =>
        [`keywordFields.${name}`, [...(values.keywords[at]?.values ?? [])]] as const,
    ),
  ]);
}

/** What the editors would hold once it is saved: `1000` may be short for an option. */
export function asSaved(archive: ArchiveDetail, values: FieldValues): FieldValues {
  return new Map(
    [...values].map(([place, held]) => {
      const field = indexFieldAt(archive, place);
      if (!field || held === null || isList(held)) return [place, held];
      const parsed = parseFieldValue(field, held);
      return [place, parsed.ok ? valueText(parsed.value, field) : held];
    }),
  );
}

/** What a field of a stored change holds in its editor. */
export function fieldValueOf(
  archive: ArchiveDetail,
  { kind, name }: FieldChange,
  value: Stored,
): Held {
  if (typeof value === 'object' && value !== null) return value;
  return valueText(value, indexFieldAt(archive, `${kind}.${name}`));
}

/** What an editor holds of the revision as it is stored; undefined where the archive has no such field. */
export function storedFieldValue(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  place: string,
): Held | undefined {
  const field = indexFieldAt(archive, place);
  if (field) return valueText(storedValue(revision, field.name), field);
  const keyword = archive.keywordFieldDefinitions.find(
    ({ name }) => place === `keywordFields.${name}`,
  );
  return keyword && storedKeywords(revision, keyword.name);
}

/** Whether an editor's content is another value than the stored one. */
export function differs(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  place: string,
  held: Held,
): boolean {
  const field = indexFieldAt(archive, place);
  if (field && !isList(held)) return isEdited(field, storedValue(revision, field.name), held);
  const stored = storedFieldValue(archive, revision, place);
  return stored !== undefined && !isSameFieldValue(stored, held);
}

export function indexFieldAt(archive: ArchiveDetail, place: string) {
  return archive.indexFieldDefinitions.find(({ name }) => place === `indexFields.${name}`);
}

export function isSameFieldValue(a: Held | undefined, b: Held | undefined): boolean {
  return isList(a) && isList(b) ? sameKeywords(a, b) : a === b;
}

/** Whether there is nothing in it. */
export function isBlank(held: Held | undefined): boolean {
  return held === undefined || held === null || held.length === 0;
}

/** As it is said in a line: keywords with commas between. */
export function fieldValueText(held: Held): string {
  return isList(held) ? held.join(', ') : (held ?? '');
}

export function isList(held: Held | undefined): held is readonly string[] {
  return typeof held === 'object' && held !== null;
}
