import * as texts from '#messages/archive-list.ts';
import type { ArchiveDetail, Finding } from '#shared/contract/answers.ts';
import { nameKey, keywordFieldName, keywordNameIn } from '#shared/rules/names.ts';
import { isInstant } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { ListView } from '#web/api/list-view.ts';
import { storedProblem } from '#web/fields/value-checks.ts';
import { checkColumn, findingText, severityOf } from '#web/list-tools/check-column.ts';
import { type ListField, NO_RULES } from '#web/list-tools/list-field.ts';
import { localInstant, shownValue } from '#web/fields/value-text.ts';
import type { ListEntry } from './list.queries.ts';

const META: readonly ListField[] = (
  [
    { name: 'revisionId', label: texts.revisionColumn, type: 'integer' },
    { name: 'changedAt', label: texts.changedAtColumn, type: 'datetime', hidden: true },
    { name: 'changedBy', label: texts.changedByColumn, type: 'text', hidden: true },
  ] as const
).map((field) => ({ ...NO_RULES, ...field, kind: 'meta' }));

/** Whether the values of a column are usernames, which screens show as people's names. */
export function isPerson({ kind, name }: ListField): boolean {
  return kind === 'meta' && name === 'changedBy';
}

/**
 * The possible columns and filters of an archive's list: revisionId, the index fields, who changed it and when, the
 * keyword fields.
 */
export function listFields(archive: ArchiveDetail): ListField[] {
  const fields = archive.indexFieldDefinitions.map((field): ListField => ({
    ...field,
    kind: 'field',
    hidden: field.hiddenInLists === true,
  }));
  // An index field hides a meta field with the same name (the service's rule).
  const [id, ...others] = META.filter(
    ({ name }) => !fields.some((field) => nameKey(field.name) === nameKey(name)),
  );
  const keywords = archive.keywordFieldDefinitions.map(({ name, label }): ListField => ({
    ...NO_RULES,
    name: keywordFieldName(name),
    label,
    type: 'text',
    kind: 'keyword',
    hidden: true,
  }));
  return [...(id ? [id] : []), ...fields, ...others, ...keywords];
}

/** The possible columns of an archive's list: its fields, and the findings of checks. */
export function columnFields(archive: ArchiveDetail): ListField[] {
  return [...listFields(archive), checkColumn(archive.indexFieldDefinitions)];
}

/** Whether a view shows findings; they are read only then. */
export function showsFindings({ columns = [], where = [] }: ListView): boolean {
  return [...columns, ...where.map(({ field }) => field)].some((name) => CHECK.test(name));
}

const CHECK = /^(?:meta\.)?check$/i;

/** Whether the chosen columns include a keyword field; keywords are read only then. */
export function showsKeywords(columns: readonly string[] = []): boolean {
  return columns.some((name) => keywordNameIn(name) !== null);
}

/** The stored value of a column in a row; for a keyword field all values in one text. */
export function listedValue(entry: ListEntry, field: ListField): Scalar {
  if (field.kind === 'field') {
    return entry.indexFields.find(({ name }) => name === field.name)?.value ?? null;
  }
  if (field.kind === 'keyword') {
    const values = (entry.keywordFields ?? []).flatMap(({ name, value }) =>
      field.name === keywordFieldName(name) ? [value] : [],
    );
    return values.length > 0 ? values.join(', ') : null;
  }
  if (field.kind === 'check') return findingText(entry.findings ?? [], '; ');
  switch (field.name) {
    case 'revisionId':
      return entry.revisionId;
    case 'changedAt':
      return entry.changedAt;
    default:
      return entry.changedBy;
  }
}

/** A cell's text. */
export function cellText(field: ListField, value: Scalar): string {
  if (field.kind === 'meta' && isInstant(field) && typeof value === 'string') {
    return localInstant(value);
  }
  return shownValue(field, value);
}

/** The problems of a value: by today's definition, and findings of checks; null: none. */
export function valueProblem(
  field: ListField,
  value: Scalar,
  { findings = [] }: ListEntry,
): { readonly text: string; readonly severity: Finding['severity'] } | null {
  if (field.kind !== 'field') return null;
  const found = findings.filter(({ fields }) => fields.includes(field.name));
  const text = [storedProblem(field, value), findingText(found, '\n')].filter(Boolean).join('\n');
  return text === '' ? null : { text, severity: severityOf(found) ?? 'warn' };
}
