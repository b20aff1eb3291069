import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { type FieldValue, fieldProblem } from '#web/fields/field-model.ts';
import { type ArchiveField, fieldAt } from '#web/fields/index-data.ts';
import type { FieldChange } from './change.ts';
import type { Method } from './plan.ts';

/** The values of the form. */
export interface BulkEditValues {
  /** in the order in which the fields were chosen */
  changes: DraftValues[];
  method: Method;
  /** whether revisions without changes are sent too */
  includesUnchanged: boolean;
}

/** A chosen field, by its path, and the value entered for it. */
interface DraftValues extends Pick<ChangeDraft, 'value' | 'isCleared'> {
  path: string;
}

/** A field to correct, and the value entered for it. */
export interface ChangeDraft {
  readonly field: ArchiveField;
  /** null, or no keywords: nothing entered yet */
  readonly value: FieldValue;
  /** whether the value is removed, whatever was entered */
  readonly isCleared: boolean;
}

/** The form's values for a field for which nothing is entered yet. */
export function newDraft({ path, definition }: ArchiveField): DraftValues {
  return { path, value: definition ? null : [], isCleared: false };
}

/** The drafts of the form's values. */
export function changeDraftsOf(
  archive: ArchiveDetail,
  changes: BulkEditValues['changes'],
): ChangeDraft[] {
  return changes.flatMap(({ path, value, isCleared }) => {
    const field = fieldAt(archive, path);
    return field ? { field, value, isCleared } : [];
  });
}

/** The change of a draft; null: nothing is entered yet. */
export function changeOf({ field, value, isCleared }: ChangeDraft): FieldChange | null {
  if (isCleared) return { field, value: field.definition ? null : [] };
  return value === null || (value.length === 0 && !field.definition) ? null : { field, value };
}

/** The error of a draft; null: none, or nothing is entered yet. */
export function draftProblem(draft: ChangeDraft): string | null {
  const change = changeOf(draft);
  return change && fieldProblem(change.field.definition, change.value);
}
