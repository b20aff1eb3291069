import { type FieldValue, fieldProblem } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { Change } from './change.ts';

/** A field to correct, and the value entered for it. */
export interface ChangeDraft {
  readonly field: ArchiveField;
  /** null, or no keywords: nothing entered yet */
  readonly value: FieldValue;
  /** whether the value is removed, whatever was entered */
  readonly isCleared: boolean;
}

/** A draft for a field without a value. */
export function newDraft(field: ArchiveField): ChangeDraft {
  return { field, value: field.definition ? null : [], isCleared: false };
}

/** The change of a draft; null: nothing is entered yet. */
export function changeOf({ field, value, isCleared }: ChangeDraft): Change | null {
  if (isCleared) return { field, value: field.definition ? null : [] };
  return value === null || (value.length === 0 && !field.definition) ? null : { field, value };
}

/** The error of a draft; null: none, or nothing is entered yet. */
export function draftProblem(draft: ChangeDraft): string | null {
  const change = changeOf(draft);
  return change && fieldProblem(change.field.definition, change.value);
}
