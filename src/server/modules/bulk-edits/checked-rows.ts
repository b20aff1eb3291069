import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { indexOfName } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/values.ts';
import { findBlocked } from '../records/blocking-checks.ts';
import { findingsChanges } from '../records/findings-change.ts';
import type { PlannedRow } from './bulk-edits.store.ts';

/** A planned row with the record that it changes, as visible to the writer. */
interface RowToCheck {
  readonly plan: PlannedRow;
  /** undefined: it creates a record, or there is none */
  readonly record: StoredRecord | undefined;
}

/** The field and the value that a check blocks; null: it names no field. */
export type BlockedValue = {
  readonly field: Collection['fields'][number];
  readonly value: Scalar;
} | null;

/**
 * Planned rows with the findings that they add and remove; those that fail a check of severity `block` become
 * `invalid`.
 * @param messageOf the message of the row for the last failed check
 */
export async function checkRows<Row extends RowToCheck>(
  db: Transaction,
  collection: Collection,
  rows: readonly Row[],
  messageOf: (row: Row, blocked: BlockedValue, problem: string) => string,
): Promise<Row[]> {
  const { fields } = collection;
  const written = rows.filter(({ plan }) => isWritten(plan));
  const candidates = written.map(({ plan, record }) => ({
    id: record?.id ?? null,
    before: record?.values ?? null,
    after: valuesAfter(collection, plan, record),
  }));
  const blocked = new Map<Row, string>();
  for (const { candidate, field, message } of await findBlocked(
    db,
    collection,
    candidates,
    'seen',
  )) {
    const row = written[candidate];
    if (!row) continue;
    const index = field === null ? -1 : indexOfName(fields, field);
    const found = fields[index];
    const value = candidates[candidate]?.after[index] ?? null;
    blocked.set(row, messageOf(row, found ? { field: found, value } : null, message.message));
  }
  const findings = await findingsChanges(db, collection, candidates);
  const changes = new Map(written.map((row, i) => [row, findings[i]]));
  return rows.map((row) => {
    const message = blocked.get(row);
    if (message !== undefined)
      return { ...row, plan: { ...row.plan, outcome: 'invalid', message } };
    const change = changes.get(row);
    return change ? { ...row, plan: { ...row.plan, findings: change } } : row;
  });
}

/** Whether the plan changes or creates a record. */
export function isWritten({ outcome }: Pick<PlannedRow, 'outcome'>): boolean {
  return outcome === 'changed' || outcome === 'new';
}

function valuesAfter(
  { fields }: Collection,
  { changes }: PlannedRow,
  record: StoredRecord | undefined,
): Scalar[] {
  const after: Scalar[] = fields.map((_, index) => record?.values[index] ?? null);
  for (const change of changes) after[indexOfName(fields, change.name)] = change.after;
  return after;
}
