import { joinList, splitList, type Operator } from '#shared/lists.ts';
import { parseType, type Scalar, type ValueType } from '#shared/values.ts';
import type { Where } from '#web/api/list-view.ts';

/** Something that a list can be filtered by, shown or sorted by. */
export interface ListField {
  /** as it stands in `where[…]` */
  readonly name: string;
  readonly label: string;
  readonly type: ValueType;
  readonly scale?: number | null;
  readonly options?: readonly Scalar[] | null;
  /** `keyword` fields are found by whole keywords alone */
  readonly kind?: 'field' | 'keyword';
}

/** What a condition asks; `empty` and `filled` are the two sides of the operator `null`. */
export type Question = Exclude<Operator, 'null'> | 'empty' | 'filled';

/** One condition as it is being put together; its value is the text as typed. */
export interface Draft {
  readonly id: number;
  readonly field: string;
  readonly question: Question;
  readonly value: string;
}

const ORDERED: readonly [Question, string][] = [
  ['eq', 'is'],
  ['ne', 'is not'],
  ['gt', 'is more than'],
  ['gte', 'is at least'],
  ['lt', 'is less than'],
  ['lte', 'is at most'],
  ['in', 'is one of'],
];
const DATED: readonly [Question, string][] = [
  ['eq', 'is'],
  ['gte', 'is from'],
  ['lte', 'is until'],
  ['gt', 'is after'],
  ['lt', 'is before'],
  ['ne', 'is not'],
];
const TEXT: readonly [Question, string][] = [
  ['like', 'contains'],
  ['eq', 'is'],
  ['ne', 'is not'],
  ['in', 'is one of'],
];
const EMPTY: readonly [Question, string][] = [
  ['empty', 'is empty'],
  ['filled', 'is not empty'],
];

/** The questions that make sense for a field, the likeliest first, with their words. */
export function questionsFor(field: ListField): readonly [Question, string][] {
  if (field.kind === 'keyword') return [['eq', 'has the keyword']];
  switch (field.type) {
    case 'text':
      return field.options
        ? [...TEXT.slice(1), ...TEXT.slice(0, 1), ...EMPTY]
        : [...TEXT, ...EMPTY];
    case 'boolean':
      return [['eq', 'is'], ...EMPTY];
    case 'date':
    case 'datetime':
      return [...DATED, ...EMPTY];
    case 'integer':
    case 'decimal':
      return [...ORDERED, ...EMPTY];
    default:
      return field.type satisfies never;
  }
}

export function asksForValue(question: Question): boolean {
  return question !== 'empty' && question !== 'filled';
}

/** The condition as it goes into the address; null while its value is missing or cannot be read. */
export function toWhere(draft: Draft, field: ListField): Where | null {
  const { question, value } = draft;
  if (question === 'empty' || question === 'filled') {
    return { field: field.name, op: 'null', value: String(question === 'empty') };
  }
  if (value === '' || problemWith(draft, field) !== null) return null;
  return { field: field.name, op: question, value: question === 'in' ? toList(value) : value };
}

/** What is wrong with the value of a condition; null where nothing is, or nothing was typed yet. */
export function problemWith({ question, value }: Draft, field: ListField): string | null {
  if (!asksForValue(question) || value === '' || question === 'like') return null;
  const values = question === 'in' ? splitList(toList(value)) : [value];
  for (const text of values) {
    const parsed = parseType({ type: field.type, scale: 14 }, text);
    if (!parsed.ok) return parsed.message;
  }
  return null;
}

/** Values typed with commas and blanks between them, as the list that the operator `in` takes. */
function toList(typed: string): string {
  return joinList(
    splitList(typed)
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
}

/** A condition of the address, to be changed. */
export function toDraft(where: Where, id: number): Draft {
  const { field, op, value } = where;
  if (op === 'null')
    return { id, field, question: value === 'true' ? 'empty' : 'filled', value: '' };
  return { id, field, question: op, value: op === 'in' ? splitList(value).join(', ') : value };
}
