import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { FieldValue } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { CarriedOverValues } from './carried-over-values.ts';
import { byPath, type FormValues, inputName } from './form-values.ts';
import type { PossibleMeaning } from './inserted-text.ts';

/** The origin of a field's content; valid until the content changes. */
export type FieldNote = { readonly value: FieldValue } & (
  | { readonly kind: 'carriedOver' | 'copied' | 'restored'; readonly from: string }
  | {
      readonly kind: 'taken';
      readonly written: string;
      readonly others: readonly PossibleMeaning[];
    }
  | { readonly kind: 'unread'; readonly written: string }
  /** `check`: its label; `paths`: the fields that the suggestion filled */
  | { readonly kind: 'suggested'; readonly check: string; readonly paths: readonly string[] }
);

/** The contents of the fields by path, and notes on their origin. @param inserted when the form was opened */
export function useFieldContents(
  fields: readonly ArchiveField[],
  form: UseFormReturn<FormValues>,
  inserted: CarriedOverValues,
) {
  const [notes, setNotes] = useState<ReadonlyMap<string, FieldNote>>(
    () => new Map([...inserted].map(([path, entry]) => [path, { kind: 'carriedOver', ...entry }])),
  );
  return {
    notes,
    clearNotes: () => setNotes(new Map()),
    fieldOf: (path: string) => fields.find((field) => field.path === path),
    valueOf: (path: string): FieldValue => byPath(fields, form.getValues()).get(path) ?? null,
    set: (path: string, value: FieldValue, note?: FieldNote): void => {
      const at = fields.findIndex((field) => field.path === path);
      if (at < 0) return;
      form.setValue(inputName(at), value, { shouldValidate: true, shouldDirty: true });
      setNotes((before) => {
        const after = new Map(before);
        if (note) after.set(path, note);
        else after.delete(path);
        return after;
      });
    },
  };
}

export type FieldContents = ReturnType<typeof useFieldContents>;
