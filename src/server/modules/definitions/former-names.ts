import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { keywordFieldName, nameKey } from '#shared/rules/names.ts';
import { readHistoryAbout } from '../history/history.service.ts';
import type { DefinitionState } from './definition-state.ts';
import { parseDefinitionState } from './definition-json.ts';
import { DEFINITION_SUBJECT_IDS } from './definitions.service.ts';

/** All names and labels that fields have had, by the numbers of the fields; of keyword fields also `keyword.NAME`. */
export async function formerNamesOf(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
  {
    values,
    keywords,
  }: {
    readonly values: readonly { readonly number: number }[];
    readonly keywords: readonly number[];
  },
): Promise<string[]> {
  const numbers = new Set([...values.map(({ number }) => number), ...keywords]);
  const names = new Set<string>();
  for await (const state of formerStates(db, { kind, id })) {
    for (const { number, field } of [...state.fields, ...state.keywordFields]) {
      if (numbers.has(number)) names.add(field.name).add(field.label);
    }
    for (const { number, field } of state.keywordFields) {
      if (numbers.has(number)) names.add(keywordFieldName(field.name));
    }
  }
  return [...names].filter((name) => name.trim() !== '');
}

/** The numbers of the fields that have had each name, by `nameKey` of the name; of keyword fields of `keyword.NAME`. */
export async function fieldsByFormerName(
  db: Transaction,
  collection: Pick<Collection, 'kind' | 'id'>,
): Promise<Map<string, Set<number>>> {
  const byName = new Map<string, Set<number>>();
  const add = (name: string, number: number) => {
    const key = nameKey(name);
    byName.set(key, (byName.get(key) ?? new Set<number>()).add(number));
  };
  for await (const state of formerStates(db, collection)) {
    for (const { number, field } of state.fields) add(field.name, number);
    for (const { number, field } of state.keywordFields) add(keywordFieldName(field.name), number);
  }
  return byName;
}

/** The states of a definition in its history. */
async function* formerStates(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
): AsyncGenerator<DefinitionState> {
  const subject = { kind: 'definition', id: DEFINITION_SUBJECT_IDS[kind] } as const;
  for (const { changes } of await readHistoryAbout(db, subject, id)) {
    for (const { name, after } of changes) {
      if (name === 'definition' && after) yield parseDefinitionState(kind, JSON.stringify(after));
    }
  }
}
