import { isSameJson } from '#server/lib/same-json.ts';
import type { KeywordField } from '#shared/rules/definitions.ts';
import { DEFAULT_SCALE } from '#shared/values/decimal.ts';
import { hasRule } from '#shared/values/registry.ts';
import {
  compareValues,
  MAX_TEXT_LENGTH,
  TYPE_ONLY_RULES,
  type ValueRules,
} from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { convertValue, type OriginalField } from '#server/database/records/conversion.ts';
import type { AnyField } from '../definitions/definition-state.ts';

/** The conditions on stored values for a change of their field. */
export type FieldCheck =
  /** the rules that became narrower, and no others */
  | { readonly kind: 'rules'; readonly rules: ValueRules; readonly isUnique: boolean }
  | {
      readonly kind: 'conversion';
      /** the field with its new type */
      readonly to: AnyField;
      /** the number of that field */
      readonly into: number;
      readonly readAs: string | null;
      /** its rules that are new or became narrower, and no others; null: there are none */
      readonly rules: ValueRules | null;
      /** of a revert: the field whose values come back where what they were converted into was not changed */
      readonly original?: OriginalField & {
        /** the rules that are narrower than those of that field, and no others; null: there are none */
        readonly narrowed: ValueRules | null;
      };
    }
  | {
      readonly kind: 'uniqueTogether';
      /** of the columns after the change */
      readonly numbers: readonly number[];
      /** of the same columns before it; null: the column is new */
      readonly before: readonly (number | null)[];
    };

export type ConversionCheck = Extract<FieldCheck, { kind: 'conversion' }>;

interface Compared {
  /** the names of changed properties that determine valid values */
  readonly rules: string[];
  /** the names of changed properties for people */
  readonly described: string[];
  readonly check: FieldCheck | null;
  readonly isConverted: boolean;
}

const RULES = [
  'type',
  'required',
  'maxLength',
  'scale',
  'options',
  'min',
  'max',
  'pattern',
  'optionsFrom',
  'default',
  'unique',
] as const satisfies (keyof AnyField)[];
const DESCRIBED = [
  'label',
  'description',
  'patternDescription',
  'group',
  'width',
  'hiddenInLists',
  'listSort',
  'onPage',
] as const satisfies (keyof AnyField)[];

/**
 * The differences between a field and its new definition, and the resulting conditions on its stored values.
 * @param into the number of the field with the converted values, if its type changes
 */
export function comparedFields(
  before: AnyField | KeywordField,
  after: AnyField | KeywordField,
  readAs: string | null,
  into: number,
): Compared {
  if (!('type' in before) || !('type' in after)) {
    const described = before.label === after.label ? [] : ['label'];
    return { rules: [], described, check: null, isConverted: false };
  }
  const differs = (key: (typeof RULES | typeof DESCRIBED)[number]) =>
    !isSameJson(before[key] ?? null, after[key] ?? null);
  const isConverted = before.type !== after.type;
  return {
    rules: RULES.filter(differs),
    described: DESCRIBED.filter(differs),
    check: isConverted ? conversionOf(before, after, readAs, into) : checkOf(before, after),
    isConverted,
  };
}

function conversionOf(
  before: AnyField,
  to: AnyField,
  readAs: string | null,
  into: number,
): FieldCheck {
  const convert = (value: Scalar) => convertValue(to, readAs, value) ?? null;
  const { min, max, options } = before;
  const converted = {
    ...before,
    min: convert(min),
    max: convert(max),
    options: options && options.map(convert).filter((option) => option !== null),
  };
  return { kind: 'conversion', to, into, readAs, rules: narrowedRules(converted, to) };
}

function checkOf(before: AnyField, after: AnyField): FieldCheck | null {
  const rules = narrowedRules(before, after);
  const isUnique = after.unique === true && before.unique !== true;
  if (!rules && !isUnique) return null;
  const none = { ...TYPE_ONLY_RULES, type: after.type, scale: null };
  return { kind: 'rules', rules: rules ?? none, isUnique };
}

/** The rules of a field before a change, with bounds in its new type. */
interface EarlierRules extends Pick<
  AnyField,
  'required' | 'maxLength' | 'scale' | 'options' | 'pattern'
> {
  readonly min: Scalar;
  readonly max: Scalar;
}

/** The rules that are new or narrower after a change. @returns null if there are none */
function narrowedRules(before: EarlierRules, after: AnyField): ValueRules | null {
  const { type } = after;
  /** @param direction 1: the bound was raised; -1: it was lowered */
  const isMoved = (old: Scalar, now: AnyField['min'], direction: 1 | -1) =>
    now !== null && (old === null || direction * compareValues(type, now, old) > 0);
  const rules: Partial<ValueRules> = {
    ...(after.required && !before.required && { required: true }),
    ...((after.maxLength ?? MAX_TEXT_LENGTH) < (before.maxLength ?? MAX_TEXT_LENGTH) && {
      maxLength: after.maxLength,
    }),
    ...(hasRule(type, 'scale') &&
      (after.scale ?? DEFAULT_SCALE) < (before.scale ?? DEFAULT_SCALE) && {
        scale: after.scale ?? DEFAULT_SCALE,
      }),
    ...(hasFewer(before.options, after.options) && { options: after.options }),
    ...(isMoved(before.min, after.min, 1) && { min: after.min }),
    ...(isMoved(before.max, after.max, -1) && { max: after.max }),
    ...(after.pattern !== null && after.pattern !== before.pattern && { pattern: after.pattern }),
  };
  if (Object.keys(rules).length === 0) return null;
  return { ...TYPE_ONLY_RULES, type, scale: null, ...rules };
}

function hasFewer(before: readonly Scalar[] | null, after: readonly Scalar[] | null): boolean {
  if (!after) return false;
  return !before || before.some((option) => !after.includes(option));
}
