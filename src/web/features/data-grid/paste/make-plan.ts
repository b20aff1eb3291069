import { ColumnNotation } from '#shared/rules/column-notation.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { type Notation, UNKNOWN_NOTATION } from '#shared/values/readings.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Clip } from './clip.ts';
import type { FormatAnswers } from './format-answers.ts';
import {
  changesRow,
  type FormatQuestion,
  type Plan,
  type PlannedCell,
  type PlannedRow,
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

interface PlanInput {
  /** the target columns, from the focused one on */
  readonly columns: readonly Column[];
  readonly allColumns: readonly Column[];
  /** the first target row of the grid, from 0 */
  readonly top: number;
  readonly targets: readonly Target[];
  readonly cells: Clip;
  readonly answers: FormatAnswers;
  /** the present value of a row's cell */
  readonly currentValue: (target: Target, column: Column) => Scalar;
}

/** Plans a paste. */
export function planPaste(input: PlanInput): Plan {
  const { columns, top, targets, cells, answers, currentValue } = input;
  const { notations, questions } = readNotations(input);
  const rows = targets.map((target, row): PlannedRow => {
    const isNew = target.is === 'new' || target.is === 'unsaved';
    const planned = columns.map((column, at): PlannedCell => {
      const cell = cells[row]?.[at];
      // An empty cell of a new row takes the column's default.
      if (!cell || target.is === 'deleted' || (isNew && cell.text === '')) {
        return { kind: 'untouched', column, text: '' };
      }
      const notation = notations[at] ?? UNKNOWN_NOTATION;
      const reading = readClipCell(column, cell, currentValue(target, column), notation);
      return { column, text: cell.text, ...reading };
    });
    const isCreated = isNew && changesRow({ cells: planned });
    const missing = isCreated ? missingIn(planned, input.allColumns) : [];
    return { number: top + row + 1, target, cells: planned, missing };
  });
  return { columns, rows, questions, answers, uniqueCompared: true };
}

/** The required columns for which a new row has neither a cell nor a default. */
function missingIn(cells: readonly PlannedCell[], columns: readonly Column[]): readonly string[] {
  const given = cells.flatMap(({ kind, column }) => (kind === 'untouched' ? [] : column.name));
  return columns
    .filter((one) => one.required && one.default === null && !given.includes(one.name))
    .map(({ label, name }) => label || name);
}
