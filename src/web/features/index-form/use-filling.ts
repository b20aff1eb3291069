import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { createLookUpAutofill } from '#web/fields/look-up-autofill.ts';
import { isList } from '#web/fields/value-checks.ts';
import { type FormValues, inputName } from './form-values.ts';

/** What choices from tables read and fill in, those from a list and those that are typed: the same functions in each render. */
export function useFilling(
  { indexFieldDefinitions: fields }: ArchiveDetail,
  { getValues, setValue }: Pick<UseFormReturn<FormValues>, 'getValues' | 'setValue'>,
) {
  const client = useQueryClient();
  return useMemo(() => {
    const positionOf = (name: string) =>
      fields.findIndex((field) => nameKey(field.name) === nameKey(name));
    const textAt = (name: string) => {
      const value = getValues().values[positionOf(name)] ?? null;
      return isList(value) ? null : value;
    };
    const fill = (fills: readonly Fill[]) => {
      for (const { name, text } of fills) {
        const at = positionOf(name);
        const isWritable = at >= 0 && fields[at]?.readOnly !== true;
        if (isWritable) setValue(inputName(at), text, { shouldValidate: true, shouldDirty: true });
      }
    };
    const autofill = createLookUpAutofill(client, { fields, textAt, fill });
    return {
      textAt,
      /** fills other fields from a chosen dataset. @param from the name of the field with the choice */
      choose: (fills: readonly Fill[], from: string) => {
        autofill.chosen(from);
        fill(fills);
      },
      /** the choices that are typed */
      autofill,
    };
  }, [client, fields, getValues, setValue]);
}

export type Filling = ReturnType<typeof useFilling>;
