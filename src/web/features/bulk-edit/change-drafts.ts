import { type FieldValue, fieldProblem } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { Change } from './change.ts';

/** A field that was chosen for correction, and what was entered for it. */
export interface Draft {
  readonly field: ArchiveField;
  /** null, or no keywords: nothing entered yet */
  readonly value: FieldValue;
  /** the value is to be removed, whatever was entered */
  readonly isCleared: boolean;
}

/** A draft for a field, before anything is entered. */
export function newDraft(field: ArchiveField): Draft {
  return { field, value: field.definition ? null : [], isCleared: false };
}

/** The change that a draft stands for; null: nothing is entered yet. */
export function changeOf({ field, value, isCleared }: Draft): Change | null {
  if (isCleared) return { field, value: field.definition ? null : [] };
  return value === null || (value.length === 0 && !field.definition) ? null : { field, value };
}

/** What is wrong with a draft; null: nothing, or nothing is entered yet. */
export function draftProblem(draft: Draft): string | null {
  const change = changeOf(draft);
  return change && fieldProblem(change.field.definition, change.value);
}
