import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import { createLookUpAutofill, type LookUpAutofill } from '#web/fields/look-up-autofill.ts';
import { isList } from '#web/fields/value-checks.ts';
import { type FormValues, inputName } from './form-values.ts';

/** The choices that are typed into the fields of a form. */
export function useLookUpAutofill(
  { indexFieldDefinitions: fields }: ArchiveDetail,
  form: Pick<UseFormReturn<FormValues>, 'getValues' | 'setValue'>,
): LookUpAutofill {
  const client = useQueryClient();
  const [choices] = useState(() => {
    const indexOfField = (name: string) =>
      fields.findIndex((field) => nameKey(field.name) === nameKey(name));
    return createLookUpAutofill(client, {
      fields,
      textAt: (name) => {
        const value = form.getValues().values[indexOfField(name)] ?? null;
        return isList(value) ? null : value;
      },
      fill: (fills) => {
        for (const { name, text } of fills) {
          const at = inputName(indexOfField(name));
          form.setValue(at, text, { shouldValidate: true, shouldDirty: true });
        }
      },
    });
  });
  return choices;
}
