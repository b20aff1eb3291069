import type { UseFormReturn } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import { nameKey } from '#shared/rules/names.ts';
import { nameFor, uniqueName } from '#shared/rules/proposed-names.ts';
import type { DefinitionValues } from './definition-form.ts';
import { renameReferencesInForm } from './renamed-fields.ts';

type DefinitionForm = UseFormReturn<DefinitionValues>;

/** Names a new archive or table after its label, unless it has a name. */
export function nameAfterLabel({ getValues, setValue }: DefinitionForm): void {
  const { name, label } = getValues();
  if (name === '') setValue('name', nameFor(label, ''), { shouldDirty: true });
}

/** Names a new field after its label, unless the user has named it. @param index its position */
export function nameFieldAfterLabel(form: DefinitionForm, index: number): void {
  const fields = form.getValues('fields');
  const field = fields[index];
  if (!field || field.savedName !== null || !isGeneratedName(field.name)) return;
  const others = fields.filter((other) => other !== field).map(({ name }) => nameKey(name));
  const name = uniqueName(nameFor(field.label, field.name), new Set(others));
  form.setValue(`fields.${index}.name`, name, { shouldDirty: true });
  renameReferencesInForm(form);
}

/** Whether the designer itself has given a name to a new field. */
function isGeneratedName(name: string): boolean {
  return name === texts.newField(Number(/[0-9]+$/.exec(name)?.[0]));
}
