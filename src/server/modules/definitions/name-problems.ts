import * as texts from '#messages/service/definitions.ts';
import type { MessagesByPath } from '#shared/contract/errors.ts';
import { findByName, isSameName, nameKey } from '#shared/rules/names.ts';
import { activeOf, type DefinitionState } from './stored-definition.ts';

/** The key of errors about a field. */
export function pathOfField(
  { kind }: Pick<DefinitionState, 'kind'>,
  part: 'fields' | 'keywordFields',
  name: string,
): string {
  if (part === 'keywordFields') return `keywordFields.${name}`;
  return `${kind === 'archive' ? 'indexFields' : 'columns'}.${name}`;
}

/**
 * The contradictions in a definition: names that lists reserve, only retired fields, unknown columns in unique
 * combinations.
 * @param known the numbers of the existing fields, which keep their names
 */
export function nameProblems(state: DefinitionState, known: readonly number[]): MessagesByPath {
  const problems: MessagesByPath = {};
  const fields = activeOf(state.fields);
  for (const { field, number } of fields) {
    if (known.includes(number) || nameKey(field.name) !== 'check') continue;
    problems[pathOfField(state, 'fields', field.name)] = [texts.checkReserved];
  }
  if (fields.length === 0) {
    problems['-'] = [texts.noFieldLeft({ kind: state.kind })];
  }
  const names = fields.map(({ field }) => field);
  for (const together of state.uniqueTogether) {
    const twice = together.filter(
      (name, i) => together.findIndex((one) => isSameName(one, name)) < i,
    );
    for (const name of twice) (problems['uniqueTogether'] ??= []).push(texts.columnTwice({ name }));
    for (const name of together) {
      if (!findByName(names, name))
        (problems['uniqueTogether'] ??= []).push(texts.noColumn({ name }));
    }
  }
  return problems;
}
