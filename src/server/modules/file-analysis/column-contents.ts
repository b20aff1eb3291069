import * as texts from '#messages/service/file-analysis.ts';
import type { ColumnOverrides } from '#shared/contract/file-analysis.ts';
import { type Cell, readCell } from '#shared/rules/spreadsheets.ts';
import { countCodePoints } from '#shared/values/code-points.ts';
import { fold } from '#shared/values/fold.ts';
import { cellText } from '../spreadsheets/cell-text.ts';
import { messageInNotation } from '../spreadsheets/import-rows.ts';
import type { Notation } from '#shared/values/readings.ts';
import { MAX_SCALE } from '#shared/values/decimal.ts';
import { hasRule, isNumber, isText, type ValueType } from '#shared/values/registry.ts';
import {
  equalityKey,
  MAX_TEXT_LENGTH,
  TYPE_ONLY_RULES,
  type ValueRules,
} from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';

/** An identifier as text: one word with a digit. */
const IDENTIFIER = /^(?=.*\d)\S{1,40}$/u;
/** Columns with at most this many distinct, repeated texts become fields with options. */
const MAX_OPTIONS = 12;
const MIN_REPEATED = 4;
const MAX_OPTION_LENGTH = 60;
/** Suggested maximum lengths; longer texts get no limit. */
const LENGTHS = [10, 20, 40, 80, 120, 200, 500, 1_000, 2_000, 4_000];
/** A suggested length leaves room for longer values than those of the file. */
const LENGTH_MARGIN = 1.25;
const MIN_SCALE = 2;
/** At most so many distinct cells that do not fit are named. */
const MAX_EXAMPLES = 5;

/** The contents of a column's cells for a type: the second pass. */
export class ColumnContents {
  readonly #rules: ValueRules;
  readonly #notation: Notation;
  /** null: a value is repeated */
  #distinct: Set<Scalar> | null = new Set();
  /** null: there are too many */
  #options: Map<string, number> | null = new Map();
  #looksLikeIdentifiers: boolean;
  #maxLength = 0;
  #scale = 0;
  filled = 0;
  misfits = 0;
  /** why the first one does not fit; null: all fit */
  problem: string | null = null;
  /** the first distinct cells that do not fit */
  readonly examples = new Set<string>();

  constructor(type: ValueType, notation: Notation, { maxLength, scale, options }: ColumnOverrides) {
    this.#notation = notation;
    this.#rules = {
      ...TYPE_ONLY_RULES,
      type,
      maxLength: hasRule(type, 'maxLength') ? (maxLength ?? null) : null,
      scale: scale ?? MAX_SCALE,
      options: options ?? null,
    };
    if (!isText({ type })) this.#options = null;
    this.#looksLikeIdentifiers =
      isText({ type }) || (isNumber({ type }) && !hasRule(type, 'scale'));
  }

  /** @returns its value; null: it has none, or does not fit */
  add(cell: Cell): Scalar {
    if (cell === null || cell === '') return null;
    this.filled += 1;
    const reading = readCell(this.#rules, cell, null, this.#notation);
    if (reading.kind !== 'value') {
      this.misfits += 1;
      this.problem ??=
        reading.kind === 'unreadable'
          ? messageInNotation(reading, this.#notation)
          : texts.severalMeanings.message;
      if (this.examples.size < MAX_EXAMPLES) this.examples.add(cellText(cell));
      return null;
    }
    this.#note(reading.value);
    return reading.value;
  }

  #note(value: Scalar): void {
    if (value === null) return;
    const key = equalityKey(this.#rules.type, value);
    if (this.#distinct?.has(key)) this.#distinct = null;
    else this.#distinct?.add(key);
    if (typeof value === 'number') this.#scale = Math.max(this.#scale, placesOf(value));
    if (typeof value !== 'string') return;
    if (!IDENTIFIER.test(value)) this.#looksLikeIdentifiers = false;
    this.#maxLength = Math.max(this.#maxLength, countCodePoints(value, MAX_TEXT_LENGTH));
    this.#options?.set(value, (this.#options.get(value) ?? 0) + 1);
    if (
      this.#options &&
      (this.#options.size > MAX_OPTIONS || this.#maxLength > MAX_OPTION_LENGTH)
    ) {
      this.#options = null;
    }
  }

  /**
   * Whether the values identify rows: whole numbers, or words with a digit, of which none is repeated. Dates, amounts and other
   * texts may all differ in a short file, and be equal later.
   */
  get isIdentifier(): boolean {
    const isRepeated = this.#distinct === null;
    return this.#looksLikeIdentifiers && !isRepeated && this.filled > 1 && this.misfits === 0;
  }

  /** null: not limited, or not a text */
  get maxLength(): number | null {
    if (!hasRule(this.#rules.type, 'maxLength')) return null;
    return LENGTHS.find((length) => length >= this.#maxLength * LENGTH_MARGIN) ?? null;
  }

  /** null: not a decimal */
  get scale(): number | null {
    return hasRule(this.#rules.type, 'scale') ? Math.max(this.#scale, MIN_SCALE) : null;
  }

  /** null: there are too many values */
  get options(): string[] | null {
    const options = this.#options;
    if (!options || options.size < 2) return null;
    if (this.filled < options.size * MIN_REPEATED) return null;
    return [...options.keys()].sort((a, b) => (fold(a) < fold(b) ? -1 : 1));
  }
}

function placesOf(value: number): number {
  const [, places = ''] = /\.([0-9]+)$/.exec(String(value)) ?? [];
  const [, exponent] = /e-([0-9]+)$/.exec(String(value)) ?? [];
  return exponent === undefined ? places.length : MAX_SCALE;
}
