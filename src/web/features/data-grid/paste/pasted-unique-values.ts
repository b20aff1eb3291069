import type { Dataset } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { recordLabel } from '../record/record-label.ts';
import type { Plan, PlannedRow } from './paste-plan.ts';
import { findRecordsByValue } from './records-by-value.ts';
import * as texts from '#messages/paste.ts';

/** Longer values would not fit into an address together: they are compared with the table only when they are saved. */
const MAX_COMPARED_LENGTH = 500;

interface UniqueCheck {
  readonly guid: string;
  readonly allColumns: readonly Column[];
  readonly signal: AbortSignal;
}

/**
 * Marks the cells of a plan that would violate a unique column: values of an earlier row of the paste, and values of
 * records that keep them. The service applies the same rule (`modules/records/unique-columns.ts`); here the user sees it before
 * anything is written.
 * @throws {CallError} if the table cannot be read
 */
export async function markDuplicates(plan: Plan, check: UniqueCheck): Promise<Plan> {
  const { guid, allColumns, signal } = check;
  let { rows, uniqueCompared } = plan;
  for (const [at, column] of plan.columns.entries()) {
    if (!column.unique) continue;
    /** by the numbers of rows */
    const messages = new Map<number, string>();
    const firstRows = new Map<Scalar, number>();
    const compared: Scalar[] = [];
    for (const { number, cells } of rows) {
      const cell = cells[at];
      if (cell?.kind !== 'value' || cell.value === null) continue;
      const key = equalityKey(column.type, cell.value);
      const first = firstRows.get(key);
      if (first !== undefined) {
        const of = { row: first, column: column.label || column.name };
        messages.set(number, texts.notUniqueInPaste(of));
        continue;
      }
      firstRows.set(key, number);
      if (String(cell.value).length <= MAX_COMPARED_LENGTH) compared.push(cell.value);
      else uniqueCompared = false;
    }
    // Few columns are unique.
    const holders = await findRecordsByValue(guid, column, compared, signal);
    const freed = recordsFreed(rows, at);
    for (const [key, number] of firstRows) {
      const holder = holders.get(key);
      if (!holder || freed.has(holder.jrid)) continue;
      messages.set(number, takenBy(holder, column, allColumns));
    }
    rows = rows.map((row) => withMessage(row, at, messages.get(row.number)));
  }
  return { ...plan, rows, uniqueCompared };
}

/** The records that get another value in a column: their old values become free. */
function recordsFreed(rows: readonly PlannedRow[], at: number): ReadonlySet<string> {
  return new Set(
    rows.flatMap(({ target, cells }) =>
      target.is === 'record' && cells[at]?.kind === 'value' ? target.stored.dataset.jrid : [],
    ),
  );
}

function takenBy(holder: Dataset, column: Column, allColumns: readonly Column[]): string {
  const values = recordLabel(
    allColumns.filter(({ name }) => name !== column.name),
    (name) => holder[name],
  );
  const of = { jrid: holder.jrid, column: column.label || column.name };
  return values === '' ? texts.notUnique(of) : texts.notUniqueWith({ ...of, values });
}

function withMessage(row: PlannedRow, at: number, message: string | undefined): PlannedRow {
  const cell = row.cells[at];
  if (!cell || message === undefined) return row;
  const { column, text } = cell;
  return { ...row, cells: row.cells.with(at, { kind: 'unreadable', column, text, message }) };
}
