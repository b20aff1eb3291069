import { type Cell, ColumnHabits, readCell } from '#shared/rules/spreadsheets.ts';
import { ColumnType } from '#shared/values/column-types.ts';
import { type Habits, UNKNOWN_HABITS } from '#shared/values/readings.ts';
import { isInstant, VALUE_TYPES, type ValueType, valueType } from '#shared/values/registry.ts';
import { MAX_SCALE, UNBOUND } from '#shared/values/values.ts';

/** The types whose notation depends on a locale. */
const LOCALIZED: readonly ValueType[] = VALUE_TYPES.filter(
  (type) => valueType(type).habit !== null,
);

/** The type of a column and the notation of its values: the first pass. */
export class ColumnFormats {
  readonly #type = new ColumnType();
  readonly #habits = new Map<ValueType, ColumnHabits>();
  /** whether a point in time is written without its offset from UTC, so that only a text can hold it */
  #lacksOffset = false;

  add(cell: Cell): void {
    this.#type.add(cell);
    const { looksLike } = this.#type;
    if (looksLike && isInstant({ type: looksLike }) && cell !== null && cell !== '') {
      const rules = { ...UNBOUND, type: looksLike, scale: null };
      this.#lacksOffset ||= readCell(rules, cell, null, UNKNOWN_HABITS).kind === 'unreadable';
    }
    if (typeof cell !== 'string' || cell === '') return;
    for (const type of LOCALIZED) {
      let habits = this.#habits.get(type);
      if (!habits) {
        habits = new ColumnHabits({ ...UNBOUND, type, scale: MAX_SCALE });
        this.#habits.set(type, habits);
      }
      habits.add(cell);
    }
  }

  /** null: all cells are empty */
  get type(): ValueType | null {
    const { looksLike } = this.#type;
    return looksLike && isInstant({ type: looksLike }) && this.#lacksOffset ? 'text' : looksLike;
  }

  /** The notation of values of the type, as far as the cells agree. */
  habitsOf(type: ValueType): Habits {
    return this.#habits.get(type)?.habits ?? UNKNOWN_HABITS;
  }

  /** An ambiguous cell, if no other cell resolves the ambiguity; null: none. */
  questionOf(
    type: ValueType,
  ): { readonly about: 'decimal' | 'order'; readonly example: string } | null {
    const habits = this.#habits.get(type);
    const example = habits?.question ?? null;
    return habits && example !== null ? { about: habits.about, example } : null;
  }
}
