import { JsonNumber } from '#shared/values/json.ts';
import { habitsOf, readText } from '#shared/values/readings.ts';
import { isText } from '#shared/values/registry.ts';
import {
  checkRules,
  parseType,
  UNBOUND,
  type Scalar,
  type ValueRules,
} from '#shared/values/values.ts';

/** What becomes of a value when the type of its field changes. */
export interface Converted {
  /** null also where the value has no meaning in the new type */
  readonly value: Scalar;
  /** whether it can be converted, and meets the rules of the field */
  readonly fits: boolean;
}

/**
 * Converts a value as the form reads what is typed. It depends on the arguments alone, so that the history can be
 * replayed over it.
 * @param to the field with its new type
 * @param readAs the language of texts (BCP 47); null: the form of the interface alone
 */
export function convertValue(to: ValueRules, readAs: string | null, value: Scalar): Converted {
  const typed = typedValue(to, readAs, value);
  if (typed === undefined) return { value: null, fits: false };
  return { value: typed, fits: checkRules({ ...to, required: false }, typed).ok };
}

/**
 * The value that comes of a conversion, whatever rules the field has.
 * @returns undefined where the value has no meaning in the new type
 */
export function typedValue(
  to: Pick<ValueRules, 'type' | 'scale'>,
  readAs: string | null,
  value: Scalar,
): Scalar | undefined {
  if (value === null) return null;
  if (typeof value !== 'string' || isText(to) || readAs === null) {
    const raw = typeof value === 'number' ? new JsonNumber(plainNumber(value)) : value;
    const parsed = parseType(to, typeof raw === 'string' && !isText(to) ? raw.trim() : raw);
    return parsed.ok ? parsed.value : undefined;
  }
  const reading = readText({ ...UNBOUND, type: to.type, scale: to.scale }, value, habitsOf(readAs));
  return reading.kind === 'value' ? reading.value : undefined;
}

/** A number in digits, without an exponent. */
function plainNumber(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(14).replace(/\.?0+$/, '') : text;
}
