import { ColumnNotation } from '#shared/rules/column-notation.ts';
import type { Notation } from '#shared/values/readings.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import {
  OUTCOME,
  type Plan,
  type PlanCounts,
  type PlanInput,
  type FormatQuestion,
  type Target,
} from './paste-plan.ts';
import { isTypedText, readClipCell } from './read-cell.ts';

interface DetectedNotation {
  readonly notation: Notation;
  readonly question: FormatQuestion | null;
}

/**
 * The notation of numbers and dates of each column, from its cells and the user's answers, and the open questions,
 * answered or not.
 */
export function readNotations(input: Pick<PlanInput, 'columns' | 'cells' | 'answers'>): {
  readonly notations: readonly Notation[];
  readonly questions: readonly FormatQuestion[];
} {
  const found = detectNotations(input);
  const notations = found.map(({ notation, question }): Notation => {
    const answer = question ? input.answers[question.column.name] : undefined;
    if (answer === undefined) return notation;
    return answer === '.' || answer === ','
      ? { ...notation, decimal: answer }
      : { ...notation, order: answer };
  });
  return { notations, questions: found.flatMap(({ question }) => question ?? []) };
}

/** The notations that the cells of each column show, and the open questions. */
function detectNotations({
  columns,
  cells,
}: Pick<PlanInput, 'columns' | 'cells'>): DetectedNotation[] {
  const found = columns.map((column, at): DetectedNotation => {
    const found = new ColumnNotation(column);
    for (const row of cells) {
      const cell = row[at];
      if (cell && (!cell.exact || isTypedText(cell.exact))) found.add(cell.text);
    }
    const { notation, question, about } = found;
    return { notation, question: question === null ? null : { column, about, example: question } };
  });
  // A program uses one decimal mark everywhere; its date order may differ between columns.
  const decimalMarks = new Set(found.flatMap(({ notation }) => notation.decimal ?? []));
  const [decimal] = decimalMarks;
  if (decimalMarks.size !== 1 || !decimal) return found;
  return found.map(({ notation, question }) => ({
    notation: { ...notation, decimal },
    question: question?.about === 'decimal' && !notation.decimal ? null : question,
  }));
}

const ROWS_PER_STEP = 500;

/** Plans a paste in steps that do not block the page; each yields the number of planned rows. */
export function* planSteps(input: PlanInput): Generator<number, Plan, void> {
  const { columns, targets, cells, currentValue } = input;
  const { notations, questions } = readNotations(input);
  const width = columns.length;
  const outcomes = new Uint8Array(targets.length * width);
  const values = Array.from<Scalar>({ length: outcomes.length }).fill(null);
  const messages = new Map<number, string>();
  const missing = new Map<number, readonly string[]>();
  const counts: PlanCounts = {
    changed: 0,
    unchanged: 0,
    invalid: 0,
    ambiguous: 0,
    changedRows: 0,
    newRows: 0,
    incomplete: 0,
    gone: 0,
  };

  const planCell = (row: number, target: Target, at: number) => {
    const column = columns[at];
    const cell = cells[row]?.[at];
    const notation = notations[at];
    if (!column || !cell || !notation) return OUTCOME.untouched;
    const index = row * width + at;
    const isNew = target.is !== 'record';
    // An empty cell of a new row takes the column's default.
    if (isNew && cell.text === '') return OUTCOME.untouched;
    const reading = readClipCell(column, cell, currentValue(target, column), notation);
    switch (reading.kind) {
      case 'unchanged':
        return OUTCOME.unchanged;
      case 'value':
        values[index] = reading.value;
        return OUTCOME.changed;
      case 'ambiguous':
        return OUTCOME.ambiguous;
      case 'unreadable':
        messages.set(index, reading.message);
        return OUTCOME.invalid;
      default:
        return reading satisfies never;
    }
  };

  for (const [r, target] of targets.entries()) {
    if (r % ROWS_PER_STEP === 0) yield r;
    if (target.is === 'deleted') {
      counts.gone++;
      continue;
    }
    let touched = false;
    for (const c of columns.keys()) {
      const outcome = planCell(r, target, c);
      outcomes[r * width + c] = outcome;
      if (outcome !== OUTCOME.untouched && outcome !== OUTCOME.unchanged) touched = true;
      if (outcome === OUTCOME.unchanged) counts.unchanged++;
      else if (outcome === OUTCOME.invalid) counts.invalid++;
      else if (outcome === OUTCOME.ambiguous) counts.ambiguous++;
      else if (outcome === OUTCOME.changed && target.is === 'record') counts.changed++;
    }
    if (!touched) continue;
    if (target.is === 'record') counts.changedRows++;
    else {
      counts.newRows++;
      const names = missingColumns(input, r, outcomes);
      if (names.length === 0) continue;
      missing.set(r, names);
      counts.incomplete++;
    }
  }
  return {
    columns,
    targets,
    cells,
    outcomes,
    values,
    messages,
    missing,
    questions,
    counts,
    uniqueCompared: false,
  };
}

function missingColumns(
  { columns, allColumns }: PlanInput,
  row: number,
  outcomes: Uint8Array,
): string[] {
  return allColumns
    .filter((column) => {
      if (!column.required || column.default !== null) return false;
      const at = columns.findIndex(({ name }) => name === column.name);
      const outcome = at < 0 ? OUTCOME.untouched : outcomes[row * columns.length + at];
      return outcome === OUTCOME.untouched;
    })
    .map(({ label, name }) => label || name);
}
