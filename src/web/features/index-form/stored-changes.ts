import type { ArchiveDetail, Revision, RevisionDetail } from '#shared/contract/answers.ts';
import type { FieldChange, Stored } from '#web/api/undo.ts';
import { sameKeywords, storedKeywords, storedValue } from './form-values.ts';

/** What a save has changed, field by field. */
export function changesOf(
  archive: ArchiveDetail,
  before: RevisionDetail,
  after: Pick<Revision, 'indexFields' | 'keywordFields'>,
): FieldChange[] {
  const fields = archive.indexFieldDefinitions.map(({ name, label }): FieldChange => ({
    kind: 'indexFields',
    name,
    label,
    before: storedValue(before, name),
    after: storedValue(after, name),
  }));
  const keywords = archive.keywordFieldDefinitions.map(({ name, label }): FieldChange => ({
    kind: 'keywordFields',
    name,
    label,
    before: storedKeywords(before, name),
    after: storedKeywords(after, name),
  }));
  return [...fields, ...keywords].filter((change) => !sameStored(change.before, change.after));
}

/** What a field of a change holds in a revision. */
export function storedAt(
  revision: Pick<Revision, 'indexFields' | 'keywordFields'>,
  { kind, name }: Pick<FieldChange, 'kind' | 'name'>,
): Stored {
  return kind === 'indexFields' ? storedValue(revision, name) : storedKeywords(revision, name);
}

/** Whether both are the same value. */
export function sameStored(a: Stored, b: Stored): boolean {
  return typeof a === 'object' && a !== null && typeof b === 'object' && b !== null
    ? sameKeywords(a, b)
    : a === b;
}
