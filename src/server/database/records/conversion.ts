import { JsonNumber } from '#shared/values/json.ts';
import { plainDecimal } from '#shared/values/plain-numbers.ts';
import { notationOf, readText } from '#shared/values/readings.ts';
import { isText } from '#shared/values/registry.ts';
import { parseType, TYPE_ONLY_RULES, type ValueRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Conversion, ConversionStep } from './collection.ts';

/**
 * Converts a value by the rules of typed input, whatever the rules of the field. The result depends only on the arguments,
 * so that the history can be replayed.
 * @param to the field with its new type
 * @param readAs the language of texts (BCP 47); null: only the form of the interface
 * @returns undefined if the value has no meaning in the new type
 */
export function convertValue(
  to: Pick<ValueRules, 'type' | 'scale'>,
  readAs: string | null,
  value: Scalar,
): Scalar | undefined {
  if (value === null) return null;
  if (typeof value !== 'string' || isText(to) || readAs === null) {
    const raw = typeof value === 'number' ? new JsonNumber(plainDecimal(value)) : value;
    const parsed = parseType(to, typeof raw === 'string' && !isText(to) ? raw.trim() : raw);
    return parsed.ok ? parsed.value : undefined;
  }
  const reading = readText(
    { ...TYPE_ONLY_RULES, type: to.type, scale: to.scale },
    value,
    notationOf(readAs),
  );
  return reading.kind === 'value' ? reading.value : undefined;
}

/** A conversion on the way from one field to another; of a revert with the field whose values it brought back. */
interface TracedStep extends ConversionStep {
  readonly original?: OriginalField;
}

/** A field whose values a revert brings back, where what they were converted into was not changed. */
export interface OriginalField {
  readonly originalNumber: number;
  /** the conversions of its values until the revert */
  readonly steps: readonly TracedStep[];
}

/** The stored value of a field by its number. */
type ValueOf = (number: number) => Scalar;

/**
 * A value of a former field as the present one has it.
 * @param valueOf of the same record; needed where one of the steps was a revert
 * @returns undefined if it has no meaning in one of the types
 */
export function convertedThrough(
  steps: readonly TracedStep[],
  value: Scalar,
  valueOf: ValueOf = () => null,
): Scalar | undefined {
  let converted: Scalar | undefined = value;
  for (const step of steps) {
    const { original } = step;
    const former: Scalar | undefined =
      original && valueIfUnchanged(original, converted ?? null, valueOf);
    if (former !== undefined) converted = former;
    else if (converted !== undefined) converted = convertValue(step, step.readAs, converted);
  }
  return converted;
}

/**
 * The value of an original field if a value is still what it was converted into.
 * @returns undefined if the value was changed
 */
export function valueIfUnchanged(
  { originalNumber, steps }: OriginalField,
  value: Scalar,
  valueOf: ValueOf,
): Scalar | undefined {
  const former = valueOf(originalNumber);
  return (convertedThrough(steps, former, valueOf) ?? null) === value ? former : undefined;
}

/** The numbers of the fields whose values `valueIfUnchanged` reads. */
export function numbersRead({ originalNumber, steps }: OriginalField): number[] {
  return [
    originalNumber,
    ...steps.flatMap(({ original }) => (original ? numbersRead(original) : [])),
  ];
}

interface ConvertedField {
  readonly number: number;
  readonly type: ConversionStep['type'];
  readonly conversion: Conversion | null;
}

/**
 * A field from which another one was converted, over others and reverts as well.
 * @returns undefined if that is not so, or a field that has to be read was purged
 */
export function originalOf(
  fields: readonly ConvertedField[],
  originalNumber: number,
  to: number,
): OriginalField | undefined {
  if (!fields.some(({ number }) => number === originalNumber)) return undefined;
  const steps = stepsBetween(fields, originalNumber, to);
  return steps && { originalNumber, steps };
}

function stepsBetween(
  fields: readonly ConvertedField[],
  from: number,
  to: number,
): readonly TracedStep[] | undefined {
  const field = fields.find(({ number }) => number === to);
  if (!field?.conversion) return undefined;
  const step = stepInto(fields, field.type, field.conversion);
  if (!step) return undefined;
  const { from: source } = field.conversion;
  if (source === from) return [step];
  const before = stepsBetween(fields, from, source);
  return before && [...before, step];
}

/**
 * The conversion that gave a field its values.
 * @param type of the field
 * @returns undefined if a field that has to be read was purged
 */
export function stepInto(
  fields: readonly ConvertedField[],
  type: ConversionStep['type'],
  { from, readAs, scale, original: originalNumber }: Conversion,
): TracedStep | undefined {
  const step = { type, readAs, scale };
  if (originalNumber === undefined) return step;
  const original = originalOf(fields, originalNumber, from);
  return original && { ...step, original };
}
