import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { keywordFieldName } from '#shared/rules/names.ts';
import { readHistoryAbout } from '../history/history.service.ts';
import { parseDefinitionState } from './definition-state.ts';
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
  const subject = { kind: 'definition', id: DEFINITION_SUBJECT_IDS[kind] } as const;
  for (const { changes } of await readHistoryAbout(db, subject, id)) {
    for (const { name, after } of changes) {
      if (name !== 'definition' || !after) continue;
      const state = parseDefinitionState(kind, JSON.stringify(after));
      for (const { number, field } of [...state.fields, ...state.keywordFields]) {
        if (numbers.has(number)) names.add(field.name).add(field.label);
      }
      for (const { number, field } of state.keywordFields) {
        if (numbers.has(number)) names.add(keywordFieldName(field.name));
      }
    }
  }
  return [...names].filter((name) => name.trim() !== '');
}
