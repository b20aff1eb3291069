import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isUnchanged, stepsBetween, typedValue } from '#server/database/records/conversion.ts';
import type { Scalar } from '#shared/values/values.ts';
import { DEFINITION_SUBJECT_IDS } from '../definitions/definitions.service.ts';
import { readChanges, iterateEntries } from '../history/history.service.ts';
import type { ReplayedConversion } from './replay.ts';

const numbered = z.array(z.looseObject({ number: z.number() })).optional();

/** What is read of a stored definition: the numbers of its fields. */
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
    const from = fields.findIndex((field) => field.number === conversion?.from);
    if (!conversion || entry === undefined) return [];
    const { scale, readAs, original: kept } = conversion;
    const convert = (value: Scalar) => typedValue({ type, scale }, readAs, value) ?? null;
    const replayed = { entry, from: from < 0 ? null : from, to, original: null, convert };
    if (kept === undefined) return [replayed];
    const steps = stepsBetween(fields, kept, conversion.from);
    const original = fields.findIndex((field) => field.number === kept);
    // A field between them was purged.
    if (!steps || original < 0) return [{ ...replayed, from: null }];
    const restore = (value: Scalar, before: Scalar) =>
      isUnchanged(steps, before, value) ? before : convert(value);
    return [{ ...replayed, original, convert: restore }];
  });
  return conversions.toSorted((a, b) => a.entry - b.entry);
}
