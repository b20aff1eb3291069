import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { parseField } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { SoughtValue } from '#web/fields/sought-value.ts';
import type { FormValues } from './form-values.ts';
import type { InputAssist } from './input-assist.ts';

/** Has the value of the focused field highlighted in the document while it is typed; the form is not rendered for it. */
export function useSoughtValue(
  form: UseFormReturn<FormValues>,
  fields: readonly ArchiveField[],
  current: string | null,
  { soughtValue }: InputAssist,
): void {
  useEffect(() => {
    const at = fields.findIndex(({ place }) => place === current);
    const update = () => soughtValue.set(soughtIn(fields[at], form.getValues().values[at] ?? null));
    update();
    return form.subscribe({ formState: { values: true }, callback: update });
  }, [form, fields, current, soughtValue]);
  useEffect(() => () => soughtValue.set(null), [soughtValue]);
}

function soughtIn(
  field: ArchiveField | undefined,
  content: FormValues['values'][number],
): SoughtValue | null {
  const { place = '', definition = null } = field ?? {};
  if (!definition?.onPage || isList(content)) return null;
  const parsed = parseField(definition, content);
  if (!parsed.ok || parsed.value === null) return null;
  return { place, type: definition.type, value: parsed.value };
}
