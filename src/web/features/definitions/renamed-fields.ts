import type { UseFormReturn } from 'react-hook-form';
import { renameInRule } from '#shared/checks/rule-names.ts';
import { NAME_PATTERN, nameKey } from '#shared/rules/names.ts';
import type { DefinitionValues, DesignedField } from './definition-form.ts';

/**
 * Writes the names that fields have now into rules, duplicates, look-ups and combinations that are unique together.
 * Nothing is written while a name is wrong or two fields have the same one, so that two fields can swap their names.
 */
export function renameReferences(values: DefinitionValues): DefinitionValues {
  const fields = values.fields.filter(({ isKeywordField }) => !isKeywordField);
  const renamed = fields.filter(({ name, nameInRules }) => name !== nameInRules);
  const areValid =
    fields.every(({ name }) => NAME_PATTERN.test(name)) &&
    new Set(fields.map(({ name }) => nameKey(name))).size === fields.length;
  if (renamed.length === 0 || !areValid) return values;
  const names = new Map(renamed.map(({ nameInRules, name }) => [nameKey(nameInRules), name]));
  const field = (name: string) => names.get(nameKey(name));
  const inText = (text: string) => text.replaceAll(/\w+/g, (name) => field(name) ?? name);
  const inFills = (text: string) => text.replaceAll(/^\s*\w+(?=\s*=)/gm, inText);
  return {
    ...values,
    checks: values.checks.map((check) => ({
      ...check,
      rule: renameInRule(check.rule, { field }),
      when: renameInRule(check.when, { field }),
      fields: inText(check.fields),
      duplicates: inText(check.duplicates),
    })),
    uniqueTogether: inText(values.uniqueTogether),
    fields: values.fields.map((draft) => ({
      ...draft,
      nameInRules: draft.name,
      fills: inFills(draft.fills),
    })),
  };
}

/** Lets the rules and look-ups of a form follow the names of its fields. */
export function renameReferencesInForm({
  getValues,
  setValue,
}: UseFormReturn<DefinitionValues>): void {
  const values = getValues();
  const updated = renameReferences(values);
  if (updated === values) return;
  setValue('uniqueTogether', updated.uniqueTogether);
  for (const [i, { name, fills }] of updated.fields.entries()) {
    setValue(`fields.${i}.nameInRules`, name);
    setValue(`fields.${i}.fills`, fills);
  }
  for (const [i, { rule, when, fields, duplicates }] of updated.checks.entries()) {
    setValue(`checks.${i}.rule`, rule);
    setValue(`checks.${i}.when`, when);
    setValue(`checks.${i}.fields`, fields);
    setValue(`checks.${i}.duplicates`, duplicates);
  }
}

/** A rule with the names that the fields have in the service. */
export function ruleAsSaved(rule: string, fields: readonly DesignedField[]): string {
  const saved = new Map(
    fields.flatMap(({ isKeywordField, nameInRules, savedName }) =>
      isKeywordField || savedName === null || savedName === nameInRules
        ? []
        : [[nameKey(nameInRules), savedName] as const],
    ),
  );
  return renameInRule(rule, { field: (name) => saved.get(nameKey(name)) });
}
