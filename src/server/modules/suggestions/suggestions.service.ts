import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Archive } from '#server/database/records/collection.ts';
import {
  countValues,
  sampledValues,
  coOccurringValues,
} from '#server/database/records/co-occurring-values.ts';
import { isIndexed } from '#server/database/records/conditions.ts';
import { columnOf } from '#server/database/records/list-column-source.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { fold } from '#shared/values/fold.ts';
import { readListQuery, type Condition, type ListColumn } from '#shared/rules/lists.ts';
import { isSameName } from '#shared/rules/names.ts';
import { isText } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';

const MAX_SUGGESTIONS = 20;
/** More given fields do not improve the result. */
const MAX_GIVEN = 12;

/** A part of the value, and the values of other fields of the revision. */
interface Wanted {
  readonly q: string;
  readonly given: readonly (readonly [field: string, value: string])[];
}

/**
 * Existing values of a field, first those that often occur together with the values of the other fields: a value's
 * score for each given field is its share of the revisions with the given value. Then the most frequent values of a
 * sample, and in text fields those that contain three characters or more of `q`.
 * @param index the field's position in the definition
 * @returns each with the number of revisions that have it
 * @throws {ApiError} 400 for an unknown given field
 */
export async function suggestValues(
  db: Transaction,
  archive: Archive,
  index: number,
  { q, given }: Wanted,
) {
  const field = archive.fields[index];
  if (!field) return [];
  const column = columnOf(archive, field);
  const wanted = fold(q);
  const matches = (value: Scalar) => fold(String(value)).includes(wanted);
  const agreement = new Map<Scalar, number>();
  for (const condition of conditionsOf(archive, column, given).slice(0, MAX_GIVEN)) {
    const together = await coOccurringValues(db, archive, field, condition);
    const all = together.reduce((sum, { count }) => sum + count, 0);
    for (const { value, count } of together) {
      if (matches(value)) agreement.set(value, (agreement.get(value) ?? 0) + count / all);
    }
  }
  const values = new Set(highest(agreement));
  if (values.size < MAX_SUGGESTIONS) {
    const used = new Map<Scalar, number>();
    for (const value of await sampledValues(db, archive, field)) {
      if (matches(value)) used.set(value, (used.get(value) ?? 0) + 1);
    }
    for (const value of highest(used)) values.add(value);
  }
  if (values.size < MAX_SUGGESTIONS && isText(field) && isIndexed(wanted)) {
    const rare: Condition = { column, op: 'like', folded: wanted };
    const found = await coOccurringValues(db, archive, field, rare);
    for (const { value } of found) values.add(value);
  }
  const chosen = [...values].slice(0, MAX_SUGGESTIONS);
  const counts = await countValues(
    db,
    archive,
    chosen.map((value) => ({ column, op: 'eq', value })),
  );
  return chosen
    .map((value, i) => ({ value, count: counts[i] ?? 0, agreement: agreement.get(value) ?? 0 }))
    .sort((a, b) => b.agreement - a.agreement || b.count - a.count)
    .map(({ value, count }) => ({ value, count }));
}

function highest(weights: ReadonlyMap<Scalar, number>): Scalar[] {
  return [...weights]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_SUGGESTIONS)
    .map(([value]) => value);
}

/** An invalid value, such as an incomplete date, has no matches. */
function conditionsOf(
  archive: Archive,
  target: ListColumn,
  given: Wanted['given'],
): readonly Condition[] {
  return given.flatMap(([name, value]) => {
    const column = archive.listColumns.find(
      (column) => column.kind !== 'meta' && isSameName(column.name, name),
    );
    if (!column) {
      throw new ApiError('malformed', { [`given[${name}]`]: [texts.noField({ name })] });
    }
    if (value === '' || column === target) return [];
    const condition = [`where[${name}][eq]`, value] as const;
    const { query, reader } = readListQuery([condition], archive.listColumns, [], ['where']);
    return reader.isValid ? query.where.flatMap((one) => ('anyOf' in one ? [] : [one])) : [];
  });
}
