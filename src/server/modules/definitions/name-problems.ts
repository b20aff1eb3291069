import { isSameJson } from '#server/lib/same-json.ts';
import * as texts from '#messages/service/definitions.ts';
import type { MessagesByPath } from '#shared/messages/message.ts';
import { findByName, isSameName, nameKey, type CollectionKind } from '#shared/rules/names.ts';
import {
  activeOf,
  formerOf,
  type AnyField,
  type DefinitionState,
  type FieldState,
} from './definition-state.ts';

/** The key of errors about a field. */
export function pathOfField(
  { kind }: Pick<DefinitionState, 'kind'>,
  part: 'fields' | 'keywordFields',
  name: string,
): string {
  if (part === 'keywordFields') return `keywordFields.${name}`;
  return `${kind === 'archive' ? 'indexFields' : 'columns'}.${name}`;
}

/** The conflict of the name of an archive or table with that of another one, also a retired one. */
export function nameTaken(kind: CollectionKind, name: string): MessagesByPath {
  return { [kind === 'archive' ? 'table' : 'name']: [texts.nameTaken({ kind, name })] };
}

/**
 * The fields that are new, or newly named, by a name that lists reserve.
 * @param known the names of the existing fields, which keep theirs
 */
export function reservedNames(state: DefinitionState, known: readonly string[]): MessagesByPath {
  const problems: MessagesByPath = {};
  if (known.some((name) => nameKey(name) === 'check')) return problems;
  for (const { field } of activeOf(state.fields)) {
    if (nameKey(field.name) !== 'check') continue;
    problems[pathOfField(state, 'fields', field.name)] = [texts.checkReserved];
  }
  return problems;
}

/** New or changed options that are given twice. @param before the fields before the change */
export function optionProblems(
  state: DefinitionState,
  before: readonly FieldState<AnyField>[],
): MessagesByPath {
  const problems: MessagesByPath = {};
  for (const stored of activeOf(state.fields)) {
    const { name, options } = stored.field;
    const former = formerOf(before, stored)?.field.options;
    if (!options || isSameJson(options, former)) continue;
    const twice = [...Map.groupBy(options, (option) => option)].filter(([, all]) => all.length > 1);
    if (twice.length === 0) continue;
    problems[`${pathOfField(state, 'fields', name)}.options`] = twice.map(([option]) =>
      texts.optionTwice({ option: String(option) }),
    );
  }
  return problems;
}

/**
 * The contradictions in a definition: names that lists reserve, only retired fields, unknown columns in unique
 * combinations.
 * @param known the names of the existing fields, which keep theirs
 */
export function nameProblems(state: DefinitionState, known: readonly string[]): MessagesByPath {
  const problems = reservedNames(state, known);
  const fields = activeOf(state.fields);
  if (fields.length === 0) {
    problems['-'] = [texts.noFieldLeft({ kind: state.kind })];
  }
  const names = fields.map(({ field }) => field);
  for (const together of state.uniqueTogether) {
    const twice = together.filter(
      (name, i) => together.findIndex((other) => isSameName(other, name)) < i,
    );
    for (const name of twice) (problems['uniqueTogether'] ??= []).push(texts.columnTwice({ name }));
    for (const name of together) {
      if (!findByName(names, name))
        (problems['uniqueTogether'] ??= []).push(texts.noColumn({ name }));
    }
  }
  return problems;
}
