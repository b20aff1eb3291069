import * as texts from '#messages/service/loading.ts';
import { findByName } from '#shared/rules/names.ts';
import { truncate } from '#shared/values/truncate.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { DefinitionState } from '../definitions/definition-state.ts';
import { fieldNoun } from './csv-columns.ts';

/** How many characters of a definition's part are shown. */
const MAX_SHOWN = 80;

export interface Named {
  readonly name: string;
}

/** The differences between the definition in the file and the stored one, one sentence each. */
export function definitionDifferences(old: Collection, wanted: DefinitionState): string[] {
  const { kind, fields, keywordFields } = wanted;
  const named = ({ name, label, description }: Collection | DefinitionState) =>
    kind === 'archive' ? { table: name, name: label, description } : { name, label, description };
  return [
    ...partDifferences('', named(old), named(wanted)),
    ...listDifferences(
      fieldNoun(wanted),
      old.fields,
      fields.map(({ field }) => field),
    ),
    ...listDifferences(
      'keyword field',
      old.keywordFields,
      keywordFields.map(({ field }) => field),
    ),
  ];
}

/** The names that are only in the definition of the file. */
export function newNames(old: readonly Named[], wanted: readonly Named[]): string[] {
  return wanted.flatMap(({ name }) => (findByName(old, name) ? [] : [name]));
}

function listDifferences(what: string, old: readonly Named[], wanted: readonly Named[]): string[] {
  const missing = old.filter(({ name }) => !findByName(wanted, name));
  return [
    ...wanted.flatMap((field) => {
      const before = findByName(old, field.name);
      return before ? partDifferences(`${what} ${before.name}: `, { ...before }, { ...field }) : [];
    }),
    ...missing.map(({ name }) => texts.fieldNotInFile({ what, name })),
  ];
}

function partDifferences(
  whose: string,
  old: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(wanted).flatMap((key) => {
    const [before, after] = [JSON.stringify(old[key] ?? null), JSON.stringify(wanted[key] ?? null)];
    if (before === after) return [];
    return [
      texts.definitionDiffers({
        whose,
        key,
        before: truncate(before, MAX_SHOWN),
        after: truncate(after, MAX_SHOWN),
      }),
    ];
  });
}
