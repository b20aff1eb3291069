import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { indexOfName } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { findBlocked, type WrittenLookupValues } from '../records/blocking-checks.ts';
import { findingsChanges } from '../records/findings-change.ts';
import type { PlannedRow } from './planned-rows.store.ts';

/** A planned row with the record that it changes, as visible to the writer. */
interface RowToCheck {
  readonly plan: PlannedRow;
  /** undefined: it creates a record, or there is none */
  readonly record: StoredRecord | undefined;
}

/** A check of severity `block` that a row fails. */
export interface FailedCheck {
  /** null: the check marks no field */
  readonly marked: { readonly field: Collection['fields'][number]; readonly value: Scalar } | null;
  readonly problem: string;
}

/** The message of a row that checks block, each of them once. */
type MessageOf<Row> = (row: Row, failed: readonly FailedCheck[]) => string;

/**
 * Planned rows with the findings that they add and remove; those that fail a check of severity `block` become
 * `invalid`.
 * @param messageOf the message of the row for its failed checks
 * @param earlier of rows of the plan before these
 */
export async function checkRows<Row extends RowToCheck>(
  db: Transaction,
  collection: Collection,
  rows: readonly Row[],
  messageOf: MessageOf<Row>,
  earlier?: WrittenLookupValues,
): Promise<Row[]> {
  const blocked = new Map<Row, Refusal>();
  let written = rows.filter(({ plan }) => isWritten(plan));
  // A row may look up what only a refused one has.
  for (;;) {
    const found = await blockedRows(db, collection, written, messageOf, earlier);
    if (found.size === 0) break;
    for (const [row, refusal] of found) blocked.set(row, refusal);
    written = written.filter((row) => !found.has(row));
  }
  const candidates = written.map((row) => candidateOf(collection, row));
  const findings = await findingsChanges(db, collection, candidates);
  const changes = new Map(written.map((row, i) => [row, findings[i]]));
  return rows.map((row) => {
    const refusal = blocked.get(row);
    if (refusal) return { ...row, plan: { ...row.plan, outcome: 'invalid', ...refusal } };
    const change = changes.get(row);
    return change ? { ...row, plan: { ...row.plan, findings: change } } : row;
  });
}

type Refusal = Required<Pick<PlannedRow, 'message' | 'fieldMessages'>>;

/** The rows that fail checks of severity `block`, with their messages. */
async function blockedRows<Row extends RowToCheck>(
  db: Transaction,
  collection: Collection,
  rows: readonly Row[],
  messageOf: MessageOf<Row>,
  earlier: WrittenLookupValues | undefined,
): Promise<ReadonlyMap<Row, Refusal>> {
  const { fields } = collection;
  const candidates = rows.map((row) => ({ ...candidateOf(collection, row), row }));
  const found = await findBlocked(db, collection, candidates, 'visible', earlier);
  const refusals = new Map<Row, Refusal>();
  for (const [{ row, after }, problems] of Map.groupBy(found, ({ candidate }) => candidate)) {
    const failed = problems.map(({ field, message }): FailedCheck => {
      const index = field === null ? -1 : indexOfName(fields, field);
      const marked = fields[index];
      const value = after[index] ?? null;
      return { marked: marked ? { field: marked, value } : null, problem: message.message };
    });
    const fieldMessages = new Map<string, string>();
    for (const { marked, problem } of failed) {
      if (!marked) continue;
      const { name } = marked.field;
      const earlierOnes = fieldMessages.get(name);
      fieldMessages.set(name, earlierOnes === undefined ? problem : `${earlierOnes} ${problem}`);
    }
    // A check that marks several fields is named once.
    const once = new Map(failed.map((one) => [one.problem, one]));
    refusals.set(row, { message: messageOf(row, [...once.values()]), fieldMessages });
  }
  return refusals;
}

function candidateOf(collection: Collection, { plan, record }: RowToCheck) {
  return {
    id: record?.id ?? null,
    before: record?.values ?? null,
    after: valuesAfter(collection, plan, record),
  };
}

/** Whether the plan changes or creates a record. */
export function isWritten({ outcome }: Pick<PlannedRow, 'outcome'>): boolean {
  return outcome === 'changed' || outcome === 'new';
}

/** The values of a planned row, of the fields that the writer sees. */
export function valuesAfter(
  { fields }: Collection,
  { changes }: PlannedRow,
  record: StoredRecord | undefined,
): Scalar[] {
  const after: Scalar[] = fields.map((_, index) => record?.values[index] ?? null);
  for (const change of changes) after[indexOfName(fields, change.name)] = change.after;
  return after;
}
