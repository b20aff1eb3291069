import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import { formatFieldValue } from '#web/fields/typed-text.ts';
import { valueText } from '#web/fields/value-text.ts';
import {
  type Edits,
  type IndexFieldDefinition,
  isEdited,
  sameKeywords,
  storedKeywords,
  storedValue,
} from './form-values.ts';

/** `base`: what stood there before both. */
export type Side = 'base' | 'theirs' | 'mine';

interface Difference {
  /** as the service names it: `indexFields.NAME`, `keywordFields.NAME` */
  readonly place: string;
  readonly label: string;
  /** as the editors show them; keywords with commas between */
  readonly base: string | null;
  readonly theirs: string | null;
  readonly mine: string | null;
}

export interface Comparison {
  /** both sides have changed the field, to different values */
  readonly conflicts: readonly Difference[];
  /** only the other side has changed the field, or both alike: their value is taken */
  readonly taken: readonly Difference[];
  /** only the clerk has changed it */
  readonly kept: readonly Difference[];
}

/** Compares, field by field, what the clerk opened, what it is now, and what the clerk made of it. */
export function compare(
  archive: ArchiveDetail,
  base: RevisionDetail,
  theirs: RevisionDetail,
  edits: Edits,
): Comparison {
  const conflicts: Difference[] = [];
  const taken: Difference[] = [];
  const kept: Difference[] = [];
  const add = (difference: Difference, byThem: boolean, byMe: boolean, alike: boolean) => {
    if (byThem && byMe && !alike) conflicts.push(difference);
    else if (byThem) taken.push(difference);
    else if (byMe) kept.push(difference);
  };
  for (const field of archive.indexFieldDefinitions) {
    const [before, now] = [storedValue(base, field.name), storedValue(theirs, field.name)];
    const edited = edits.fields.get(field.name);
    const difference = {
      place: `indexFields.${field.name}`,
      label: field.label,
      base: shownText(field, before),
      theirs: shownText(field, now),
      mine: edited === undefined ? shownText(field, before) : formatFieldValue(field, edited),
    };
    const alike = edited !== undefined && !isEdited(field, now, edited);
    add(difference, before !== now, edited !== undefined, alike);
  }
  for (const { name, label } of archive.keywordFieldDefinitions) {
    const [before, now] = [storedKeywords(base, name), storedKeywords(theirs, name)];
    const edited = edits.keywords.get(name);
    const difference = {
      place: `keywordFields.${name}`,
      label,
      base: listText(before),
      theirs: listText(now),
      mine: listText(edited ?? before),
    };
    const alike = edited !== undefined && sameKeywords(edited, now);
    add(difference, !sameKeywords(before, now), edited !== undefined, alike);
  }
  return { conflicts, taken, kept };
}

/**
 * The edits that remain over the other side's version, once the clerk has chosen.
 * @param base what both started from; without it nothing can be put back to it
 */
export function settle(
  edits: Edits,
  comparison: Comparison,
  choices: ReadonlyMap<string, Side>,
  base?: { readonly archive: ArchiveDetail; readonly revision: RevisionDetail },
): Edits {
  const kept = new Set(comparison.kept.map(({ place }) => place));
  const fields = new Map<string, string | null>();
  const keywords = new Map<string, readonly string[]>();
  for (const [name, text] of edits.fields) {
    const place = `indexFields.${name}`;
    const choice = choices.get(place);
    if (kept.has(place) || choice === 'mine') fields.set(name, text);
    const field = base?.archive.indexFieldDefinitions.find((one) => one.name === name);
    if (choice === 'base' && base && field) {
      fields.set(name, valueText(storedValue(base.revision, name), field));
    }
  }
  for (const [name, values] of edits.keywords) {
    const place = `keywordFields.${name}`;
    const choice = choices.get(place);
    if (kept.has(place) || choice === 'mine') keywords.set(name, values);
    if (choice === 'base' && base) keywords.set(name, storedKeywords(base.revision, name));
  }
  return { fields, keywords };
}

/**
 * The other side's version as far as it can be put under the editors now: where both have changed a field,
 * what stood there before stays until the clerk has chosen.
 */
export function besideConflicts(
  base: RevisionDetail,
  theirs: RevisionDetail,
  { conflicts }: Pick<Comparison, 'conflicts'>,
): RevisionDetail {
  const open = new Set(conflicts.map(({ place }) => place));
  const indexFields = theirs.indexFields.map((field) =>
    open.has(`indexFields.${field.name}`)
      ? { ...field, value: storedValue(base, field.name) }
      : field,
  );
  const isOpen = ({ name }: { readonly name: string }) => open.has(`keywordFields.${name}`);
  const keywordFields = [
    ...theirs.keywordFields.filter((entry) => !isOpen(entry)),
    ...base.keywordFields.filter(isOpen),
  ];
  return { ...theirs, indexFields, keywordFields };
}

function shownText(field: IndexFieldDefinition, value: Scalar): string | null {
  return formatFieldValue(field, valueText(value, field));
}

function listText(keywords: readonly string[]): string | null {
  return keywords.length === 0 ? null : keywords.join(', ');
}
