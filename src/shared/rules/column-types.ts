import { UNKNOWN_NOTATION } from '../values/readings.ts';
import { type Cell, readCell } from './spreadsheets.ts';
import { isInstant, isText, VALUE_TYPES, type ValueType, valueType } from '../values/registry.ts';
import { MAX_SCALE, type Scalar, TYPE_ONLY_RULES, type ValueRules } from '../values/values.ts';

/** The rules of a type alone, without further restrictions of a field. */
function rulesOf(type: ValueType): ValueRules {
  return { ...TYPE_ONLY_RULES, type, scale: MAX_SCALE };
}

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
