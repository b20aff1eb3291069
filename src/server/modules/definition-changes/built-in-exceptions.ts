import type { Transaction } from '#server/database/database.ts';
import type { CheckPart } from '#server/database/records/check.ts';
import { dependsOn } from '#server/database/records/check-exceptions.ts';
import type { Collection, Table } from '#server/database/records/collection.ts';
import { allOf } from '#server/database/records/comparisons.ts';
import { referencedColumns } from '#shared/checks/rule-names.ts';
import type { RuleNode } from '#shared/checks/rule-tree.ts';
import { BUILT_IN_CHECKS, type BuiltInCheck } from '#shared/rules/check-words.ts';
import { findByName, isSameName } from '#shared/rules/names.ts';
import { invalidateStates } from '../checks/check-reconciliation.ts';
import { builtInParts } from '../definitions/built-in-checks.ts';
import type { DefinitionState } from '../definitions/definition-state.ts';
import { toCollection } from '../definitions/definition-collection.ts';
import { readTables } from '../definitions/stored-definitions.ts';
import type { DefinitionPlan } from './definition-plan.ts';

type Field = Collection['fields'][number];

/** A condition of a built-in check. */
interface Condition {
  /** the numbers of the fields that it depends on, as before the change */
  readonly numbers: readonly number[];
  /** its rule, with numbers instead of the names of fields and columns */
  readonly meaning: string;
}

/** Ends the exceptions of built-in checks for fields of which these check something else now. */
export async function endBuiltInExceptions(
  db: Transaction,
  { before, after }: DefinitionPlan,
  { kind, id }: { readonly kind: DefinitionState['kind']; readonly id: number },
): Promise<void> {
  const tables = (await readTables(db)).filter(({ guid }) => !isSameName(guid, before.guid));
  const [old, now] = [before, after].map((state) => toCollection(id, state, null));
  if (!old || !now) return;
  const known = new Set(old.fields.map(({ number }) => number));
  const formerNumber = ({ number, formerNumbers }: Field) =>
    [number, ...formerNumbers].find((one) => known.has(one)) ?? number;
  const present = new Set(now.fields.map(formerNumber));
  const ended: BuiltInCheck[] = [];
  for (const check of BUILT_IN_CHECKS) {
    const kept = conditionsOf(check, now, tables, formerNumber).map(({ meaning }) => meaning);
    for (const { numbers, meaning } of conditionsOf(check, old, tables, formerNumber)) {
      // A retired field may be restored as it was.
      if (kept.includes(meaning) || !numbers.every((number) => present.has(number))) continue;
      ended.push(check);
      await db.k
        .deleteFrom('check_exceptions')
        .where('scope', '=', kind)
        .where('thing_id', '=', id)
        .where('name', '=', check)
        .where(allOf(numbers.map((number) => dependsOn('fields', number))))
        .execute();
    }
  }
  if (ended.length > 0) await invalidateStates(db, { kind, id }, ended);
}

function conditionsOf(
  check: BuiltInCheck,
  collection: Collection,
  others: readonly Table[],
  formerNumber: (field: Field) => number,
): Condition[] {
  const tables = collection.kind === 'table' ? [collection, ...others] : others;
  const numberOf = (name: string) => {
    const field = findByName(collection.fields, name);
    return field ? formerNumber(field) : 0;
  };
  const isSelf = (rule: RuleNode | null) =>
    rule !== null &&
    referencedColumns(rule).some(({ table }) => isSameName(table, collection.guid));
  const meaningOf = ({ rule, measure }: CheckPart, numbers: readonly number[]) =>
    JSON.stringify([numbers, rule, measure?.kind], (key, value: unknown) => {
      if (typeof value !== 'string') return value;
      // Fields, and what a table looks up in itself.
      return key === 'name' || (key === 'column' && isSelf(rule)) ? numberOf(value) : value;
    });
  return builtInParts(check, collection, tables).map((part) => {
    const numbers = part.uses.map(numberOf);
    return { numbers, meaning: meaningOf(part, numbers) };
  });
}
