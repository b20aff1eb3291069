import { BOOLEAN } from './boolean.ts';
import { DATE } from './date.ts';
import { DATETIME } from './datetime.ts';
import { DECIMAL } from './decimal.ts';
import { INTEGER } from './integer.ts';
import { TEXT } from './text.ts';
import { TIME } from './time.ts';
import type { TypeRule, ValueTypeDefinition } from './value-type.ts';

/** The value types of index fields and columns (docs/interface/decisions.md, section 4). */
const DEFINITIONS = {
  text: TEXT,
  integer: INTEGER,
  decimal: DECIMAL,
  boolean: BOOLEAN,
  date: DATE,
  datetime: DATETIME,
  time: TIME,
} satisfies Record<string, ValueTypeDefinition>;

export type ValueType = keyof typeof DEFINITIONS;

const TYPES: Readonly<Record<ValueType, ValueTypeDefinition>> = DEFINITIONS;

function isValueType(name: string): name is ValueType {
  return Object.hasOwn(DEFINITIONS, name);
}

/** The names of the types; those of one family from the narrowest to the widest. */
export const VALUE_TYPES: readonly ValueType[] = Object.keys(DEFINITIONS).filter(isValueType);

/** The properties of a value type. */
export function valueType(type: ValueType): ValueTypeDefinition {
  return TYPES[type];
}

/** Whether a key of definitions applies to a type. */
export function hasRule(type: ValueType, rule: TypeRule): boolean {
  return TYPES[type].rules.includes(rule);
}

/** The types that a key of definitions applies to. */
export function typesWith(rule: TypeRule): ValueType[] {
  return VALUE_TYPES.filter((type) => hasRule(type, rule));
}

/** Whether values are free text: folded for comparison, searched, edited with patterns, and stored as they are typed. */
export function isText({ type }: { readonly type: ValueType }): boolean {
  return TYPES[type].family === 'text';
}

/** Whether values are numbers, which are summed and aligned at their end. */
export function isNumber({ type }: { readonly type: ValueType }): boolean {
  return TYPES[type].family === 'number';
}

/** Whether values are true or false, which are chosen instead of typed. */
export function isBoolean({ type }: { readonly type: ValueType }): boolean {
  return TYPES[type].family === 'boolean';
}

/** Whether people write values differently from the interface: depending on the locale, or in several ways. */
export function isLocalized({ type }: { readonly type: ValueType }): boolean {
  return TYPES[type].family !== 'text' && TYPES[type].family !== 'boolean';
}

/** Whether values are points in time, with an offset from UTC. */
export function isInstant({ type }: { readonly type: ValueType }): boolean {
  return TYPES[type].isInstant === true;
}
