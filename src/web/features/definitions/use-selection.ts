import { useEffect, useState } from 'react';
import type { FieldPath, UseFormReturn } from 'react-hook-form';
import type { ApiFailure } from '#web/api/failure.ts';
import { errorsByPath } from '#web/ui/form/service-errors.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import type { DefinitionValues } from './definition-form.ts';
import { fieldAtOf } from './error-paths.ts';

/** The field and the check whose properties are shown: their positions. */
export interface Positions {
  readonly field: number;
  readonly check: number;
}

export const FIRST_SELECTED: Positions = { field: 0, check: 0 };

export interface Selection extends Positions {
  readonly selectField: (index: number) => void;
  /** selects a field and focuses its label */
  readonly followField: (index: number) => void;
  /** selects a new field, and its proposed label: what is typed replaces it */
  readonly nameField: (index: number) => void;
  readonly selectCheck: (index: number) => void;
  /** selects the field or check of the first error, and focuses the input */
  readonly onRefused: (failure: ApiFailure) => void;
}

/** @param initial may be beyond the last field or check */
export function useSelection(
  form: UseFormReturn<DefinitionValues>,
  kind: CollectionKind,
  initial: Positions,
  onSelect: (positions: Positions) => void,
): Selection {
  const [positions, setPositions] = useState(() => {
    const { fields, checks } = form.getValues();
    return {
      field: Math.max(0, Math.min(initial.field, fields.length - 1)),
      check: Math.max(0, Math.min(initial.check, checks.length - 1)),
    };
  });
  const select = (change: Partial<Positions>) => {
    const selected = { ...positions, ...change };
    setPositions(selected);
    onSelect(selected);
  };
  const selectField = (field: number) => select({ field });
  const selectCheck = (check: number) => select({ check });
  const [focused, setFocused] = useState<{
    readonly input: FieldPath<DefinitionValues>;
    readonly shouldSelect: boolean;
  }>();
  const { setFocus } = form;
  useEffect(() => {
    // The input is there only after its field is selected.
    if (focused) setFocus(focused.input, { shouldSelect: focused.shouldSelect });
  }, [focused, setFocus]);
  const focusLabel = (index: number, shouldSelect: boolean) => {
    selectField(index);
    setFocused({ input: `fields.${index}.label`, shouldSelect });
  };
  const followField = (index: number) => focusLabel(index, false);
  const nameField = (index: number) => focusLabel(index, true);
  const onRefused = (failure: ApiFailure) => {
    const fieldAt = fieldAtOf(form, kind);
    const input = errorsByPath(failure)
      .map(({ path }) => fieldAt(path))
      .find((candidate) => candidate !== undefined);
    if (input === undefined) return;
    const [, list, index] = /^(fields|checks)\.(\d+)\./.exec(input) ?? [];
    if (list === 'fields') selectField(Number(index));
    if (list === 'checks') selectCheck(Number(index));
    setFocused({ input, shouldSelect: false });
  };
  return { ...positions, selectField, followField, nameField, selectCheck, onRefused };
}
