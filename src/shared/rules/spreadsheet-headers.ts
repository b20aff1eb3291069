import { fold } from '../values/fold.ts';
import { keywordFieldName } from './names.ts';

/** The first columns of every export: the id of the revision or dataset, and its version. */
export const ID_HEADERS = { archive: 'Revision id', table: 'jrid' } as const;
export const VERSION_HEADER = 'Version';

/** The meaning of a spreadsheet column. */
export type ColumnMeaning =
  | { readonly as: 'id' }
  | { readonly as: 'version' }
  | { readonly as: 'field'; readonly field: string }
  | { readonly as: 'keyword'; readonly keyword: string }
  | { readonly as: 'nothing' };

interface Named {
  readonly name: string;
  readonly label: string;
}

/** The headers of fields in an export, in their order: the label, or the name if the label is not unique. */
export function headersOf(fields: readonly Named[]): string[] {
  const isClear = clearLabels(fields.map(({ label }) => label));
  return fields.map(({ name, label }) => (isClear(label) ? label : name));
}

/** @returns whether a label is not blank and the only one of its text among these and the headers of every export */
function clearLabels(all: readonly string[]): (label: string) => boolean {
  const count = new Map<string, number>();
  for (const header of [...Object.values(ID_HEADERS), VERSION_HEADER, ...all]) {
    count.set(fold(header), (count.get(fold(header)) ?? 0) + 1);
  }
  return (label) => label.trim() !== '' && count.get(fold(label)) === 1;
}

/**
 * The headers of keyword fields in an export, in their order: the label, or `keyword.NAME` if an import could mistake
 * the label for that of another column.
 */
export function keywordHeadersOf(
  keywordFields: readonly Named[],
  fields: readonly Named[],
): string[] {
  const isClear = clearLabels([
    ...fields.flatMap(({ name, label }) => [name, label]),
    ...keywordFields.map(({ label }) => label),
  ]);
  return keywordFields.map(({ name, label }) => (isClear(label) ? label : keywordFieldName(name)));
}

/** The meanings of a spreadsheet's columns by their headers: names or labels, ignoring case. */
export function meaningsOf(
  headers: readonly string[],
  fields: readonly Named[],
  keywordFields: readonly Named[],
): ColumnMeaning[] {
  const known = new Map<string, ColumnMeaning>();
  const learn = (header: string, meaning: ColumnMeaning) => {
    const key = fold(header.trim());
    if (key !== '' && !known.has(key)) known.set(key, meaning);
  };
  for (const { name } of fields) learn(name, { as: 'field', field: name });
  for (const header of [...Object.values(ID_HEADERS), 'revisionId']) learn(header, { as: 'id' });
  learn(VERSION_HEADER, { as: 'version' });
  headersOf(fields).forEach((header, i) => {
    const field = fields[i]?.name;
    if (field !== undefined) learn(header, { as: 'field', field });
  });
  const keywordHeaders = keywordHeadersOf(keywordFields, fields);
  for (const [i, { name }] of keywordFields.entries()) {
    learn(keywordFieldName(name), { as: 'keyword', keyword: name });
    learn(keywordHeaders[i] ?? '', { as: 'keyword', keyword: name });
  }
  // The list uses this header; it comes last, because a field may have the same name.
  learn('Revision', { as: 'id' });
  const taken = new Set<string>();
  return headers.map((header) => {
    const meaning = known.get(fold(header.trim()));
    const key = JSON.stringify(meaning);
    // Of two columns for one field the first one is used.
    if (!meaning || taken.has(key)) return { as: 'nothing' };
    taken.add(key);
    return meaning;
  });
}
