import type { Resolver } from 'react-hook-form';
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

/** Checks the entered values. A field for which nothing is entered yet has no error. */
export function resolverFor(archive: ArchiveDetail): Resolver<BulkEditValues> {
  return (values) => {
    const errors = values.changes.map(({ path, ...entered }) => {
      const field = fieldAt(archive, path);
      const change = field ? changeOf({ field, ...entered }) : null;
      const message = change && fieldProblem(change.field.definition, change.value);
      return message === null ? undefined : { value: { type: 'value', message } };
    });
    return errors.some((error) => error !== undefined)
      ? { values: {}, errors: { changes: errors } }
      : { values, errors: {} };
  };
}
