import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { keywordFieldName } from '#shared/rules/names.ts';
import { readHistoryAbout } from '../history/history.service.ts';
import { readState } from './definition-state.ts';
import { DEFINITION_SUBJECT_IDS } from './definitions.service.ts';

/** All names that fields have had, by the numbers of the fields; of keyword fields as `keyword.NAME`. */
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
      const state = readState(kind, JSON.stringify(after));
      for (const field of state.fields) if (numbers.has(field.number)) names.add(field.field.name);
      for (const field of state.keywordFields) {
        if (numbers.has(field.number)) names.add(keywordFieldName(field.field.name));
      }
    }
  }
  return [...names];
}
