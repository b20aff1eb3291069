import { useEffect } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { UseFormReturn } from 'react-hook-form';
import { isBlank, parseField } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { documentSourceOf } from '#web/fields/document-source.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { HighlightedValue } from '#web/fields/highlighted-value.ts';
import type { FormValues } from './form-values.ts';
import type { InputAssist } from './input-assist.ts';

interface HighlightedValueOptions {
  readonly archive: Pick<ArchiveDetail, 'indexFieldDefinitions'>;
  readonly form: UseFormReturn<FormValues>;
  readonly fields: readonly ArchiveField[];
  /** the path of the focused field */
  readonly current: string | null;
  readonly highlightedValue: InputAssist['highlightedValue'];
}

/** Highlights the value of the focused field in the document while it is typed; the form is not rendered for it. */
export function useHighlightedValue(options: HighlightedValueOptions): void {
  const { archive, form, fields, current, highlightedValue } = options;
  useEffect(() => {
    const at = fields.findIndex(({ path }) => path === current);
    const update = () =>
      highlightedValue.set(valueToHighlight(archive, fields, at, form.getValues()));
    update();
    return form.subscribe({ formState: { values: true }, callback: update });
  }, [archive, form, fields, current, highlightedValue]);
  useEffect(() => () => highlightedValue.set(null), [highlightedValue]);
}

function valueToHighlight(
  archive: Pick<ArchiveDetail, 'indexFieldDefinitions'>,
  fields: readonly ArchiveField[],
  at: number,
  { values }: FormValues,
): HighlightedValue | null {
  const { path = '', definition = null, isReadOnly = true } = fields[at] ?? {};
  const content = values[at] ?? null;
  if (!definition || isList(content)) return null;
  const parsed = parseField(definition, content);
  const value = parsed.ok && !isList(parsed.value) ? parsed.value : null;
  // Values expected on the page are searched; for a missing one the page may contain it.
  const isMissing = isBlank(content) && definition.required && !isReadOnly;
  if (!definition.onPage && !isMissing) return null;
  if (value === null && !isBlank(content)) return null;
  const source = documentSourceOf(archive, definition.name, (name) => {
    const held = values[fields.findIndex((field) => field.name === name)];
    return held ?? null;
  });
  return { path, type: definition.type, value, field: definition, source };
}
