import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { parseField } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { HighlightedValue } from '#web/fields/highlighted-value.ts';
import type { FormValues } from './form-values.ts';
import type { InputAssist } from './input-assist.ts';

/** Has the value of the focused field highlighted in the document while it is typed; the form is not rendered for it. */
export function useHighlightedValue(
  form: UseFormReturn<FormValues>,
  fields: readonly ArchiveField[],
  current: string | null,
  { highlightedValue }: InputAssist,
): void {
  useEffect(() => {
    const at = fields.findIndex(({ place }) => place === current);
    const update = () =>
      highlightedValue.set(valueToHighlight(fields[at], form.getValues().values[at] ?? null));
    update();
    return form.subscribe({ formState: { values: true }, callback: update });
  }, [form, fields, current, highlightedValue]);
  useEffect(() => () => highlightedValue.set(null), [highlightedValue]);
}

function valueToHighlight(
  field: ArchiveField | undefined,
  content: FormValues['values'][number],
): HighlightedValue | null {
  const { place = '', definition = null } = field ?? {};
  if (!definition?.onPage || isList(content)) return null;
  const parsed = parseField(definition, content);
  if (!parsed.ok || parsed.value === null) return null;
  return { place, type: definition.type, value: parsed.value };
}
