import { UNKNOWN_NOTATION } from '../values/readings.ts';
import { type Cell, readCell } from './spreadsheets.ts';
import { MAX_SCALE } from '../values/decimal.ts';
import {
  isInstant,
  isNumber,
  isText,
  VALUE_TYPES,
  type ValueType,
  valueType,
} from '../values/registry.ts';
import { TYPE_ONLY_RULES, type ValueRules } from '../values/value-rules.ts';
import type { Scalar } from '../values/value-type.ts';

/** The rules of a type alone, without further restrictions of a field. */
function rulesOf(type: ValueType): ValueRules {
  return { ...TYPE_ONLY_RULES, type, scale: MAX_SCALE };
}

const WHOLE = rulesOf('integer');
const DECIMAL = rulesOf('decimal');

/** The offset of a date-time that is written without one is irrelevant for its type. */
const ANY_INSTANT: Scalar = '1970-01-01T00:00:00Z';

/** Whether a non-empty spreadsheet cell can be read as a type. */
function canBe(rules: ValueRules, cell: Cell): boolean {
  const current = isInstant(rules) ? ANY_INSTANT : null;
  return readCell(rules, cell, current, UNKNOWN_NOTATION).kind !== 'unreadable';
}

/** Such numbers are identifiers: of orders, customers, places. */
function isNumberedName(cell: Cell): boolean {
  return typeof cell === 'string' && /^\s*0\d+\s*$/.test(cell);
}

/** Whether a text is like the version 1.2.3 or an IP address: in the same column, 1.10 is not a number either. */
function isNumberedPath(cell: Cell): boolean {
  return typeof cell === 'string' && /^\s*\d+(?:\.\d+){2,}\s*$/.test(cell);
}

/** The types except text, by family: the narrowest first; each accepts everything that the previous ones accept. */
const FAMILIES = Object.values(
  Object.groupBy(VALUE_TYPES, (type) => valueType(type).family),
).flatMap((types) =>
  types && !types.some((type) => isText({ type })) ? [types.map(rulesOf)] : [],
);

/** Detects the type that all cells of a spreadsheet column have in common. */
export class ColumnType {
  /** null: all cells are empty; an empty list: only text fits all of them */
  #possible: readonly ValueRules[] | null = null;

  add(cell: Cell): void {
    if (cell === null || cell === '') return;
    const possible = isNumberedName(cell) ? [] : (this.#possible ?? familyOf(cell));
    const [first] = possible;
    const isFirst = first !== undefined && canBe(first, cell);
    this.#possible = isFirst ? possible : possible.filter((rules) => canBe(rules, cell));
  }

  /** null: all cells are empty */
  get detectedType(): ValueType | null {
    return this.#possible && (this.#possible[0]?.type ?? 'text');
  }
}

function familyOf(cell: Cell): readonly ValueRules[] {
  return FAMILIES.find((family) => family.some((rules) => canBe(rules, cell))) ?? [];
}

/** The types that a column is taken for although some of its cells are no values of them. */
const TOLERANT_TYPES: readonly ValueRules[] = (['date', 'time', 'decimal'] as const).map(rulesOf);
/** A column with fewer filled cells is taken for text if one of them does not fit. */
const MIN_CELLS = 20;
/** The share of cells that may not fit. */
const MAX_MISFITS = 0.05;
/** After so many cells, types that fit less than half of them are no longer looked for. */
const CELLS_TO_GIVE_UP = 200;

/**
 * Detects the type that nearly all cells of a spreadsheet column have in common. A column of whole numbers with a few
 * other cells has identifiers, and is a text.
 */
export class NearlyColumnType {
  #sought = TOLERANT_TYPES.map((rules) => ({ rules, misfits: 0 }));
  #cells = 0;
  #whole = 0;
  #hasNumberedName = false;

  add(cell: Cell): void {
    if (cell === null || cell === '' || this.#sought.length === 0) return;
    this.#cells += 1;
    this.#hasNumberedName ||= isNumberedName(cell) || isNumberedPath(cell);
    if (canBe(WHOLE, cell)) this.#whole += 1;
    const canBeNumber = canBe(DECIMAL, cell);
    for (const one of this.#sought) {
      // Numbers such as 9.30 can be read as dates and times, but are seldom meant so.
      if ((canBeNumber && !isNumber(one.rules)) || !canBe(one.rules, cell)) one.misfits += 1;
    }
    if (this.#cells < CELLS_TO_GIVE_UP) return;
    this.#sought = this.#sought.filter(({ misfits }) => misfits <= this.#cells / 2);
  }

  /** null: there is none */
  get detectedType(): ValueType | null {
    if (this.#cells < MIN_CELLS) return null;
    const most = this.#cells * MAX_MISFITS;
    const found = this.#sought.find(({ misfits }) => misfits <= most)?.rules ?? null;
    const areIdentifiers = this.#hasNumberedName || this.#cells - this.#whole <= most;
    return found && !(isNumber(found) && areIdentifiers) ? found.type : null;
  }
}

/** Whether a type accepts everything that another one accepts; a text may be anything. */
function acceptsAllOf(type: ValueType, other: ValueType): boolean {
  if (other === 'text') return false;
  const ofFamily = FAMILIES.find((family) => family.some((rules) => rules.type === type)) ?? [];
  const names = ofFamily.map((rules) => rules.type);
  return type === 'text' || (names.includes(other) && names.indexOf(other) <= names.indexOf(type));
}

/** The cells of a spreadsheet column that cannot be read as the type of its field. */
export class ColumnMisfits {
  readonly #rules: ValueRules;
  #count = 0;
  #example: Cell = null;

  constructor({ type }: Pick<ValueRules, 'type'>) {
    this.#rules = rulesOf(type);
  }

  /** @param seen the detected type of the cells so far, including this one: most cells then need no separate check */
  add(cell: Cell, seen: ValueType | null): void {
    if (cell === null || cell === '' || (seen && acceptsAllOf(this.#rules.type, seen))) return;
    if (canBe(this.#rules, cell)) return;
    if (this.#count === 0) this.#example = cell;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** the first of them; null: there is none */
  get example(): Cell {
    return this.#example;
  }
}
