import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { Difference, Side } from '#web/fields/conflict-panel.tsx';
import {
  type FieldValue,
  formatFieldValue,
  isEdited,
  isSameValue,
} from '#web/fields/field-model.ts';
import { type ArchiveField, fieldsOf, storedIn } from '#web/fields/index-data.ts';
import { type FormEdits, storedFieldValue } from './form-values.ts';

export interface ConflictComparison {
  /** fields that both sides have changed to different values */
  readonly conflicts: readonly Difference[];
  /** fields that only the other side has changed, or both equally: their value is taken */
  readonly changedByOther: readonly Difference[];
  /** fields that only the user has changed */
  readonly changedByUser: readonly Difference[];
}

/** A three-way comparison: the version that the user opened, the newest version, and the user's edits. */
export function compareVersions(
  archive: ArchiveDetail,
  base: RevisionDetail,
  theirs: RevisionDetail,
  edits: FormEdits,
): ConflictComparison {
  const conflicts: Difference[] = [];
  const changedByOther: Difference[] = [];
  const changedByUser: Difference[] = [];
  for (const field of fieldsOf(archive)) {
    const before = storedFieldValue(base, field);
    const edited = edits.get(field.path);
    const difference = {
      path: field.path,
      label: field.label,
      base: shownText(field, before),
      theirs: shownText(field, storedFieldValue(theirs, field)),
      mine: shownText(field, edited === undefined ? before : edited),
    };
    const byThem = !isSameValue(storedIn(base, field), storedIn(theirs, field));
    const byBoth = byThem && edited !== undefined;
    if (byBoth && isEdited(field.definition, storedIn(theirs, field), edited))
      conflicts.push(difference);
    else if (byThem) changedByOther.push(difference);
    else if (edited !== undefined) changedByUser.push(difference);
  }
  return { conflicts, changedByOther, changedByUser };
}

/**
 * The remaining edits, based on the other side's version, after the user has chosen.
 * @param base the version that both started from; without it no field can be restored to it
 */
export function resolveConflicts(
  edits: FormEdits,
  comparison: ConflictComparison,
  choices: ReadonlyMap<string, Side>,
  base?: { readonly archive: ArchiveDetail; readonly revision: RevisionDetail },
): FormEdits {
  const kept = new Set(comparison.changedByUser.map(({ path }) => path));
  const fields = base ? fieldsOf(base.archive) : [];
  return new Map(
    [...edits].flatMap(([path, value]): [string, FieldValue][] => {
      const choice = choices.get(path);
      if (kept.has(path) || choice === 'mine') return [[path, value]];
      const field = fields.find((one) => one.path === path);
      return choice === 'base' && base && field
        ? [[path, storedFieldValue(base.revision, field)]]
        : [];
    }),
  );
}

/** The other side's version, but with the base values in fields that both have changed. */
export function withoutConflicts(
  base: RevisionDetail,
  theirs: RevisionDetail,
  { conflicts }: Pick<ConflictComparison, 'conflicts'>,
): RevisionDetail {
  const open = new Set(conflicts.map(({ path }) => path));
  const indexFields = theirs.indexFields.map((field) =>
    open.has(`indexFields.${field.name}`)
      ? { ...field, value: base.indexFields.find(({ name }) => name === field.name)?.value ?? null }
      : field,
  );
  const isOpen = ({ name }: { readonly name: string }) => open.has(`keywordFields.${name}`);
  const keywordFields = [
    ...theirs.keywordFields.filter((entry) => !isOpen(entry)),
    ...base.keywordFields.filter(isOpen),
  ];
  return { ...theirs, indexFields, keywordFields };
}

function shownText({ definition }: ArchiveField, value: FieldValue): string | null {
  return formatFieldValue(definition, value);
}
