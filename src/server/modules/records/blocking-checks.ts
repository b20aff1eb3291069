import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Check, LookupColumn } from '#server/database/records/check.ts';
import {
  isLookupIn,
  lookupsOfChecks,
  newestAmong,
} from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fullCollectionOf } from '#server/database/records/collection-view.ts';
import type { CollectionRef } from '#server/database/records/columns.ts';
import type { Message } from '#shared/messages/message.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { isText } from '#shared/values/registry.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { evaluateChecks, type IsBroken, type IsWritten } from './check-evaluation.ts';

/** A record about to be written, with the values of all fields. */
interface WrittenValues {
  /** null: it is new */
  readonly id: number | null;
  /** null: it is new, or its previous state is ignored */
  readonly before: readonly Scalar[] | null;
  readonly after: readonly Scalar[];
}

/** Why a record may not be saved: a blocking check, and the field that it highlights. */
interface BlockedField<Candidate> {
  /** the record */
  readonly candidate: Candidate;
  /** null: the check highlights no field */
  readonly field: string | null;
  /** the fields that the check depends on */
  readonly uses: readonly string[];
  /** whether the check looks up values in the archive or table of the record */
  readonly isSelfLookup: boolean;
  readonly message: Message;
}

/**
 * The checks of severity `block` that records about to be written fail. A save is blocked only if it changes the value
 * of one of the rule's fields. Older revisions are not checked. What a rule looks up may be among the candidates.
 * @param collection as visible to the writer: a check that names a hidden field is left out
 * @param values whether the candidates have the values of all fields, or of the visible ones
 * @param others of records that are written before the candidates, or with them
 */
export async function findBlocked<Candidate extends WrittenValues>(
  db: Transaction,
  collection: Collection,
  candidates: readonly Candidate[],
  values: 'all' | 'visible' = 'all',
  others?: Pick<WrittenLookupValues, 'has'>,
): Promise<BlockedField<Candidate>[]> {
  const checks = blockingChecks(collection);
  if (checks.length === 0) return [];
  const { fields } = values === 'all' ? fullCollectionOf(collection) : collection;
  const evaluate = (isBroken: IsBroken) =>
    checks.flatMap((check) => {
      const isSelfLookup = check.lookups.some((lookup) => isLookupIn(collection, lookup));
      return check.parts.flatMap(({ rule, uses, fields: marked }) => {
        if (!rule) return [];
        const indexes = uses.map((name) => indexOfName(fields, name));
        return candidates.flatMap((candidate): BlockedField<Candidate>[] => {
          const { before, after } = candidate;
          const isTouched = !before || indexes.some((index) => before[index] !== after[index]);
          if (!isTouched || !isBroken(rule, after)) return [];
          const message = texts.checkNotMet({ label: check.label });
          const highlighted = marked.length > 0 ? marked : [null];
          return highlighted.map((field) => ({ candidate, field, uses, isSelfLookup, message }));
        });
      });
    });
  const written = new WrittenLookupValues(collection);
  for (const { after } of candidates) written.add(fields, after);
  const isWritten: IsWritten = (...lookup) =>
    written.has(...lookup) || others?.has(...lookup) === true;
  const blocked = await evaluateChecks(db, collection, { fields, checks }, evaluate, isWritten);
  const ids = blocked.flatMap(({ candidate: { id } }) => id ?? []);
  const newest = await newestAmong(db, collection, ids);
  return blocked.filter(({ candidate: { id } }) => id === null || newest.has(id));
}

function blockingChecks({ checks }: Collection): readonly Check[] {
  return checks.filter(({ severity }) => severity === 'block');
}

/** The columns in which checks of severity `block` look up values. */
export function blockingLookups(collection: Collection): readonly LookupColumn[] {
  return lookupsOfChecks(blockingChecks(collection));
}

/** Whether checks of severity `block` look up values in the archive or table itself. */
export function hasSelfLookups(collection: Collection): boolean {
  return blockingLookups(collection).some((lookup) => isLookupIn(collection, lookup));
}

/** The values of records that are about to be written, in the columns which their archive or table looks up in itself. */
export class WrittenLookupValues {
  readonly #collection: CollectionRef;
  readonly #lookups: readonly LookupColumn[];
  /** by the number of the column: the values with the last places where they are written */
  readonly #values = new Map<number, Map<Scalar, number>>();

  constructor(collection: Collection) {
    this.#collection = collection;
    this.#lookups = blockingLookups(collection).filter((one) => isLookupIn(collection, one));
  }

  /**
   * Adds the values of a record, in the order of the fields.
   * @param place of the record among those that are written, not before earlier ones
   */
  add(fields: Collection['fields'], values: readonly Scalar[], place = 0): void {
    for (const lookup of this.#lookups) {
      const { number } = lookup.field;
      const index = fields.findIndex((field) => field.number === number);
      if (index === -1) continue;
      const known = this.#values.get(number) ?? new Map<Scalar, number>();
      this.#values.set(number, known.set(keyOf(lookup, values[index] ?? null), place));
    }
  }

  has(column: LookupColumn, value: Scalar): boolean {
    return this.#lastPlace(column, value) !== undefined;
  }

  /** The values that are written after a place. */
  after(place: number): Pick<WrittenLookupValues, 'has'> {
    return { has: (...lookup) => (this.#lastPlace(...lookup) ?? place) > place };
  }

  #lastPlace(column: LookupColumn, value: Scalar): number | undefined {
    if (!isLookupIn(this.#collection, column)) return undefined;
    return this.#values.get(column.field.number)?.get(keyOf(column, value));
  }
}

/** Look-ups compare texts exactly. */
function keyOf({ field }: LookupColumn, value: Scalar): Scalar {
  return isText(field) ? value : equalityKey(field.type, value);
}
