import { ColumnNotation } from '#shared/rules/column-notation.ts';
import { type Cell, readCell } from '#shared/rules/spreadsheets.ts';
import { ColumnType, NearlyColumnType } from '#shared/rules/column-types.ts';
import { type Notation, UNKNOWN_NOTATION } from '#shared/values/readings.ts';
import { MAX_SCALE } from '#shared/values/decimal.ts';
import {
  isInstant,
  isText,
  VALUE_TYPES,
  type ValueType,
  valueType,
} from '#shared/values/registry.ts';
import { TYPE_ONLY_RULES } from '#shared/values/value-rules.ts';

/** The types whose notation depends on a locale. */
const LOCALIZED: readonly ValueType[] = VALUE_TYPES.filter(
  (type) => valueType(type).notationPart !== null,
);

/** The type of a column and the notation of its values: the first pass. */
export class ColumnFormats {
  readonly #type = new ColumnType();
  readonly #nearlyType = new NearlyColumnType();
  readonly #notation = new Map<ValueType, ColumnNotation>();
  /** whether a point in time is written without its offset from UTC, so that only a text can hold it */
  #lacksOffset = false;

  add(cell: Cell): void {
    this.#type.add(cell);
    this.#nearlyType.add(cell);
    const { detectedType } = this.#type;
    if (detectedType && isInstant({ type: detectedType }) && cell !== null && cell !== '') {
      const rules = { ...TYPE_ONLY_RULES, type: detectedType, scale: null };
      this.#lacksOffset ||= readCell(rules, cell, null, UNKNOWN_NOTATION).kind === 'unreadable';
    }
    if (typeof cell !== 'string' || cell === '') return;
    for (const type of LOCALIZED) {
      let notation = this.#notation.get(type);
      if (!notation) {
        notation = new ColumnNotation({ ...TYPE_ONLY_RULES, type, scale: MAX_SCALE });
        this.#notation.set(type, notation);
      }
      notation.add(cell);
    }
  }

  /** null: all cells are empty */
  get type(): ValueType | null {
    const { detectedType } = this.#type;
    if (!detectedType) return null;
    if (isInstant({ type: detectedType }) && this.#lacksOffset) return 'text';
    return isText({ type: detectedType })
      ? (this.#nearlyType.detectedType ?? detectedType)
      : detectedType;
  }

  /** The notation of values of the type, as far as the cells agree. */
  notationOf(type: ValueType): Notation {
    return this.#notation.get(type)?.notation ?? UNKNOWN_NOTATION;
  }

  /** An ambiguous cell, if no other cell resolves the ambiguity; null: none. */
  questionOf(
    type: ValueType,
  ): { readonly about: 'decimal' | 'order'; readonly example: string } | null {
    const notation = this.#notation.get(type);
    const example = notation?.question ?? null;
    return notation && example !== null ? { about: notation.about, example } : null;
  }
}
