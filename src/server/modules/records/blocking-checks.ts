import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { unrestricted } from '#server/database/records/collection-view.ts';
import type { Message } from '#shared/messages/message.ts';
import { indexOfName } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/values.ts';
import { evaluateChecks } from './check-evaluation.ts';

/** A record about to be written, with the values of all fields. */
interface WrittenValues {
  /** null: it is new, or its previous state is ignored */
  readonly before: readonly Scalar[] | null;
  readonly after: readonly Scalar[];
}

/** Why a record may not be saved: a blocking check, and the field that it highlights. */
interface Blocked {
  /** the position of the record among the candidates */
  readonly candidate: number;
  readonly field: string;
  readonly message: Message;
}

/**
 * The checks of severity `block` that records about to be written fail. A save is blocked only if it changes the value
 * of one of the rule's fields.
 * @param collection as visible to the writer: a check that names a hidden field is left out
 * @param values whether the candidates have the values of all fields, or of the visible ones
 */
export async function findBlocked(
  db: Transaction,
  collection: Collection,
  candidates: readonly WrittenValues[],
  values: 'all' | 'seen' = 'all',
): Promise<Blocked[]> {
  const checks = collection.checks.filter(({ severity }) => severity === 'block');
  if (checks.length === 0) return [];
  const { fields } = values === 'all' ? unrestricted(collection) : collection;
  return evaluateChecks(db, collection, { fields, checks }, (isBroken) =>
    checks.flatMap((check) =>
      check.parts.flatMap(({ rule, uses, fields: marked }) => {
        if (!rule) return [];
        const indexes = uses.map((name) => indexOfName(fields, name));
        return candidates.flatMap(({ before, after }, candidate): Blocked[] => {
          const isTouched = !before || indexes.some((index) => before[index] !== after[index]);
          if (!isTouched || !isBroken(rule, after)) return [];
          const message = texts.checkNotMet({ label: check.label });
          return marked.map((field) => ({ candidate, field, message }));
        });
      }),
    ),
  );
}
