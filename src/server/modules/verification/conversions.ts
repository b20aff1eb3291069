import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { convertedThrough, numbersRead, stepInto } from '#server/database/records/conversion.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { DEFINITION_SUBJECT_IDS } from '../definitions/definitions.service.ts';
import { readChanges, iterateEntries } from '../history/history.service.ts';
import type { ReplayedConversion } from './replay.ts';

const numbered = z.array(z.looseObject({ number: z.number() })).optional();

/** The parts of a stored definition that are read here: the numbers of its fields. */
const definitionSchema = z.looseObject({
  fieldNumbers: z.array(z.number()),
  retiredFields: numbered,
});

/** The conversions of an archive or table, in the order in which the history has them. */
export async function readConversions(
  db: Transaction,
  collection: Collection,
): Promise<ReplayedConversion[]> {
  const { fields, kind, id } = collection;
  if (fields.every(({ conversion }) => conversion === null)) return [];
  const entries = new Map<number, number>();
  for await (const page of iterateEntries(db, {
    kind: 'definition',
    id: DEFINITION_SUBJECT_IDS[kind],
  })) {
    for (const entry of page.filter(({ rowId }) => rowId === id)) {
      for (const { name, after } of readChanges(entry.changes)) {
        const read = definitionSchema.safeParse(after);
        if (name !== 'definition' || !read.success) continue;
        const { fieldNumbers, retiredFields = [] } = read.data;
        for (const number of [...fieldNumbers, ...retiredFields.map((field) => field.number)]) {
          if (!entries.has(number)) entries.set(number, entry.id);
        }
      }
    }
  }
  const conversions = fields.flatMap(({ number, type, conversion }, to): ReplayedConversion[] => {
    const entry = entries.get(number);
    if (!conversion || entry === undefined) return [];
    const { from } = conversion;
    const step = stepInto(fields, type, conversion);
    const numbers = [from, ...(step?.original ? numbersRead(step.original) : [])];
    const sources = numbers.map((wanted) => fields.findIndex((field) => field.number === wanted));
    const convert = (values: readonly Scalar[]) => {
      const valueOf = (wanted: number) => values[numbers.indexOf(wanted)] ?? null;
      return convertedThrough(step ? [step] : [], valueOf(from), valueOf) ?? null;
    };
    return [{ entry, to, sources: !step || sources.includes(-1) ? null : sources, convert }];
  });
  return conversions.toSorted((a, b) => a.entry - b.entry);
}
