import type { Column } from '#shared/rules/definitions.ts';
import { type Notation, readText, unreadable } from '#shared/values/readings.ts';
import { type CellReading, offsetLike, readCell } from '#shared/rules/spreadsheets.ts';
import { isBoolean, isInstant, isNumber, valueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { localOffsets } from '#web/fields/local-offsets.ts';
import { checkValue } from '#web/fields/value-checks.ts';
import type { ClipCell } from './clip.ts';

/**
 * Converts a clipboard cell to a value of a column, by the same rules as an imported spreadsheet.
 * @param current the value in the cell; a date-time without an offset has that of this value, or else that of the user
 */
export function readClipCell(
  column: Column,
  { text, exact }: ClipCell,
  current: Scalar,
  notation: Notation,
): CellReading {
  if (exact?.is === 'own' && !(isTypedText(exact) && isReadFromText(column))) {
    const parsed = checkValue(column, exact.value);
    if (parsed.ok) return toReading(parsed.value, current);
    // The digits of a number that does not fit could be parsed as another number.
    if (!isTypedText(exact)) return unreadable(parsed);
  }
  const written = valueForColumn(column, exact) ?? text;
  const known = exact?.is === 'order' ? { ...notation, order: exact.order } : notation;
  if (!isInstant(column) || typeof written !== 'string' || written === '') {
    return readCell(column, written, current, known);
  }
  const reading = readText(column, written, known, offsetLike(current) ?? localOffsets);
  return reading.kind === 'value' ? toReading(reading.value, current) : reading;
}

/** Whether a copy within Indexdesk contains a text, or typed text that was invalid. */
export function isTypedText(exact: ClipCell['exact']): boolean {
  return exact?.is === 'own' && typeof exact.value === 'string';
}

/** Digits in a text may mean another number than in the form of the interface. */
function isReadFromText(column: Column): boolean {
  return isNumber(column) || isBoolean(column);
}

function toReading(value: Scalar, current: Scalar): CellReading {
  return value === current ? { kind: 'unchanged' } : { kind: 'value', value };
}

/** The value from the other program, if it has the column's kind; null: parse the displayed text. */
function valueForColumn(
  column: Column,
  exact: ClipCell['exact'],
): number | boolean | string | null {
  if (exact?.is === 'number') {
    return isNumber(column) ? Number(exact.text) : null;
  }
  if (exact?.is === 'day') {
    return valueType(column.type).family === 'date' ? exact.text : null;
  }
  if (exact?.is === 'boolean') return isBoolean(column) ? exact.text === 'true' : null;
  return null;
}
