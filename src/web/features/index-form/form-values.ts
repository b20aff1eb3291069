import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { parseKeyword } from '#shared/values/keywords.ts';
import { checkRules, parseValue, type Scalar } from '#shared/values/values.ts';
import { valueText } from '#web/fields/value-text.ts';

export type IndexFieldDefinition = ArchiveDetail['indexFieldDefinitions'][number];
export type KeywordFieldDefinition = ArchiveDetail['keywordFieldDefinitions'][number];

/** What stands in the editors, by the places of the definition (a name could be one that objects have already). */
export interface FormValues {
  fields: { text: string | null }[];
  keywords: { values: string[] }[];
}

/** What a clerk has changed in a revision, by field names. */
export interface Edits {
  readonly fields: ReadonlyMap<string, string | null>;
  readonly keywords: ReadonlyMap<string, readonly string[]>;
}

export function storedValue(revision: Pick<RevisionDetail, 'indexFields'>, name: string): Scalar {
  return revision.indexFields.find((field) => field.name === name)?.value ?? null;
}

/** The values of one keyword field, in their order. */
export function storedKeywords(
  revision: Pick<RevisionDetail, 'keywordFields'>,
  name: string,
): string[] {
  return revision.keywordFields.filter((entry) => entry.name === name).map(({ value }) => value);
}

/** The editors' values for a revision, with edits laid over them. */
export function valuesOf(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  edits?: Edits,
): FormValues {
  return {
    fields: archive.indexFieldDefinitions.map((field) => {
      const edited = edits?.fields.get(field.name);
      const stored = storedValue(revision, field.name);
      return { text: edited === undefined ? valueText(stored, field) : edited };
    }),
    keywords: archive.keywordFieldDefinitions.map(({ name }) => ({
      values: [...(edits?.keywords.get(name) ?? storedKeywords(revision, name))],
    })),
  };
}

/** Whether the text in an editor is another value than the stored one; `1.50` is not another than 1.5. */
export function isEdited(
  field: IndexFieldDefinition,
  stored: Scalar,
  text: string | null,
): boolean {
  if (text === valueText(stored, field)) return false;
  const parsed = parseValue(field, text);
  return !parsed.ok || parsed.value !== stored;
}

export function sameKeywords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((keyword, place) => keyword === b[place]);
}

/** What stands in the editors and is not in the revision. */
export function editsOf(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  values: FormValues,
): Edits {
  const fields = new Map<string, string | null>();
  for (const [place, field] of archive.indexFieldDefinitions.entries()) {
    const text = values.fields[place]?.text ?? null;
    if (isEdited(field, storedValue(revision, field.name), text)) fields.set(field.name, text);
  }
  const keywords = new Map<string, readonly string[]>();
  for (const [place, { name }] of archive.keywordFieldDefinitions.entries()) {
    const now = values.keywords[place]?.values ?? [];
    if (!sameKeywords(now, storedKeywords(revision, name))) keywords.set(name, [...now]);
  }
  return { fields, keywords };
}

/** What was typed between two moments. */
export function editsSince(archive: ArchiveDetail, before: FormValues, now: FormValues): Edits {
  const fields = new Map<string, string | null>();
  for (const [place, { name }] of archive.indexFieldDefinitions.entries()) {
    const text = now.fields[place]?.text ?? null;
    if (text !== (before.fields[place]?.text ?? null)) fields.set(name, text);
  }
  const keywords = new Map<string, readonly string[]>();
  for (const [place, { name }] of archive.keywordFieldDefinitions.entries()) {
    const values = now.keywords[place]?.values ?? [];
    if (!sameKeywords(values, before.keywords[place]?.values ?? [])) keywords.set(name, values);
  }
  return { fields, keywords };
}

export function countEdits({ fields, keywords }: Edits): number {
  return fields.size + keywords.size;
}

/** What is wrong with keywords; null: nothing. */
export function keywordProblem(keywords: readonly string[]): string | null {
  for (const keyword of keywords) {
    const parsed = parseKeyword(keyword);
    if (!parsed.ok) return parsed.message;
  }
  return null;
}

/** What today's definition has against a stored value; null: nothing. */
export function flawOf(field: IndexFieldDefinition, stored: Scalar): string | null {
  const checked = checkRules(field, stored);
  return checked.ok ? null : checked.message;
}
