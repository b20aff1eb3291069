import type { Message } from '../messages/message.ts';
import type { JsonNumber } from './json.ts';

/** A value as it is answered and stored: text, date, date-time and time as string; null: no value. */
export type Scalar = string | number | boolean | null;

export function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** A JSON value that is neither null nor a list nor an object, with a number as it was written. */
export type RawScalar = string | boolean | JsonNumber;

/** The value that an input means, or why it is refused. */
export type Parsed =
  | { readonly ok: true; readonly value: Scalar }
  | ({ readonly ok: false } & Message);

/** The input means this value. */
export const parsedAs = (value: Scalar): Parsed => ({ ok: true, value });
/** The input is not a valid value, for this reason. */
export const refused = (message: Message): Parsed => ({ ok: false, ...message });

/** The marks before the decimal places of a number. */
export const DECIMAL_MARKS = ['.', ','] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** How someone separates groups of digits: `1,234,567` by thousands, `12,34,567` by lakhs as in India. */
export interface Grouping {
  readonly mark: DecimalMark | ' ' | "'";
  readonly by: 'thousands' | 'lakhs';
}

/** The orders in which day, month and year are written. */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** How someone writes numbers and dates; null: unknown; where it matters, the user has to choose it. */
export interface Notation {
  readonly decimal: DecimalMark | null;
  readonly order: DateOrder | null;
  /** how the whole part of numbers is grouped; left out if it is not known, as for a column */
  readonly grouping?: Grouping;
}

/** The writer's notation is not known. */
export const UNKNOWN_NOTATION: Notation = { decimal: null, order: null };

/**
 * The offsets from UTC (`+01:00`) that a local time `YYYY-MM-DDTHH:mm:ss` has where the writer is: two where the
 * clocks are put back and it comes twice, none if they are put forward and it never comes.
 */
export type OffsetsAt = (local: string) => readonly string[];

/** One meaning of a written text. */
export interface Candidate {
  /** in the form of the interface; it may be invalid */
  readonly raw: string;
  /** the notation under which the text has this meaning */
  readonly notation: Notation;
}

/** The candidates that match the writer's notation, otherwise all of them. */
export function preferWritersNotation(
  candidates: readonly Candidate[],
  isOwn: (notation: Notation) => boolean,
): readonly Candidate[] {
  const own = candidates.filter(({ notation }) => isOwn(notation));
  return own.length > 0 ? own : candidates;
}

/** The meanings of a written text, or why it has none. */
export type Interpretations = readonly Candidate[] | { readonly unreadable: Message };

/** The kind of a database column; the adapters declare it. */
export type ColumnKind = 'text' | 'integer' | 'decimal' | 'boolean' | 'date';

/** When two values are equal, and how lists order them. */
type Comparison =
  /** the value as it is stored */
  | { readonly by: 'value' }
  /** the folded text, then the code points (docs/interface/decisions.md, section 4) */
  | { readonly by: 'foldedText' }
  /** a whole number, which is stored next to the value: one instant or time may be written in several forms */
  | { readonly by: 'number'; readonly numberOf: (value: string) => number };

/** The keys of a definition that apply to some types only. */
export const TYPE_RULES = ['maxLength', 'pattern', 'scale', 'min', 'max'] as const;
export type TypeRule = (typeof TYPE_RULES)[number];

/** The operators of `where[FIELD][OP]` (docs/interface/decisions.md, section 6). */
export const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'in', 'null'] as const;
export type Operator = (typeof OPERATORS)[number];

/**
 * The properties of a value type, for the server and the web admin. `registry.ts` lists the types; other code uses the
 * registry and does not compare the names of types.
 */
export interface ValueTypeDefinition {
  /** for people: `a whole number` without the article */
  readonly words: string;
  /**
   * Types that are written alike, with one kind of editor. The registry has those of a family from the narrowest to the
   * widest: each accepts everything that the previous ones accept.
   */
  readonly family: 'text' | 'number' | 'boolean' | 'date' | 'time';

  /**
   * Decides whether `raw` is a value of the type. Only texts receive the empty text: for other types it means no value.
   * @param scale the decimal places that a value may have
   */
  readonly parse: (raw: RawScalar, scale: number) => Parsed;
  /** `parse` where a text means something that the type cannot hold: 1.5 as an integer; undefined: as `parse` */
  readonly parseLenient?: (raw: RawScalar) => Parsed;
  /** Whether a scalar is in the stored form of the type. */
  readonly isStored: (value: Scalar) => boolean;
  readonly comparison: Comparison;
  /** values are points in time, with an offset from UTC; people also want to read them by their own clock */
  readonly isInstant?: true;
  readonly column: ColumnKind;
  readonly rules: readonly TypeRule[];
  /** of types that are summed: the decimal places of the values under a definition's `scale` */
  readonly placesOf?: (scale: number | null) => number;

  /** which part of the writer's notation decides how a text is read; null: none */
  readonly notationPart: 'decimal' | 'order' | null;
  /**
   * The possible meanings of a text that people wrote; none: it is not a value of the type. The text is trimmed, not
   * empty and short. Texts are not read.
   */
  readonly read: (
    text: string,
    notation: Notation,
    offsetsAt: OffsetsAt | undefined,
  ) => Interpretations;
  /** the meanings under all notations, which show how a column is written; only where `notationPart` is not null */
  readonly readInAnyNotation?: (text: string) => readonly Candidate[];
  /** a short form that is only accepted while typing: `101225` as `10.12.25`; null: it is not one */
  readonly expandTyped?: (typed: string, notation: Notation) => string | null;

  /** Writes a value as the locale does; `read` under its notation gives the same value back. */
  readonly write: (value: Scalar, scale: number | null, locale: string) => string;
  /** `write` with group separators, for reading and not for editing; undefined: as `write` */
  readonly writeGrouped?: (value: Scalar, scale: number | null, locale: string) => string;
  /** how values are written under a locale, as a placeholder: `DD/MM/YYYY` */
  readonly form?: (locale: string) => string;
  /** the present value, from the local time `YYYY-MM-DDTHH:mm:ss+hh:mm` */
  readonly now?: (local: string) => string;

  /** the operators that filters offer, the most likely first */
  readonly operators: readonly Operator[];
  /** the default width of a list's column in pixels; that of texts depends on `maxLength` */
  readonly columnWidth: number;
  /** how a typed spreadsheet (XLSX) holds values */
  readonly sheet: {
    /** the number format of its cells; undefined: the program's own */
    readonly format?: (scale: number | null) => string;
    /** in characters, if values are wider than their heading */
    readonly width?: number;
    /** the cell of a value; null: as a text, if no such cell holds the value exactly */
    readonly toDate?: (value: string) => Date | null;
  };
}

/** The operators of every type that has an order. */
export const ORDERED_OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'null'] as const;
