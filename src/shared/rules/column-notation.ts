import { type Notation, possibleNotations, UNKNOWN_NOTATION } from '../values/readings.ts';
import { valueType } from '../values/registry.ts';
import type { ValueRules } from '../values/value-rules.ts';
import type { DateOrder, DecimalMark } from '../values/value-type.ts';
import type { Cell } from './spreadsheets.ts';

/** What the cells of a column together show about their writer's notation. */
export class ColumnNotation {
  readonly #field: ValueRules;
  /** the notation under which every cell can have been written; null: no cell shows any */
  #possible: readonly (DecimalMark | DateOrder)[] | null = null;
  #example: string | null = null;

  constructor(field: ValueRules) {
    this.#field = field;
  }

  add(cell: Cell): void {
    if (typeof cell !== 'string' || (this.#example !== null && this.#possible?.length === 0))
      return;
    const shown = possibleNotations(this.#field, cell).flatMap(
      (notation) => notation[this.about] ?? [],
    );
    if (shown.length === 0) return;
    if (shown.length > 1) this.#example ??= cell;
    this.#possible = this.#possible?.filter((notation) => shown.includes(notation)) ?? shown;
  }

  /** Which part of the notation determines how such cells are read. */
  get about(): 'decimal' | 'order' {
    return valueType(this.#field.type).notationPart ?? 'order';
  }

  /** The notation, if the cells agree on it. */
  get notation(): Notation {
    const [only] = this.#possible?.length === 1 ? this.#possible : [];
    if (only === undefined) return UNKNOWN_NOTATION;
    return only === '.' || only === ','
      ? { ...UNKNOWN_NOTATION, decimal: only }
      : { ...UNKNOWN_NOTATION, order: only };
  }

  /**
   * A cell that can be read in several ways if the other cells do not decide it, or contradict each other; null:
   * there is no question.
   */
  get question(): string | null {
    return this.#possible?.length === 1 ? null : this.#example;
  }
}
