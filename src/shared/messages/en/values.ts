/** Why a value is not valid for its field: `parseValue`, readings of typed texts, keywords, edits of texts. */
import { formatCount } from '../format.ts';
import { coded } from '../message.ts';
import { plural } from './language.ts';

export const required = coded('values.required', 'A value is required.');
export const notSingle = coded(
  'values.notSingle',
  'The value must be a single value, not a list or an object.',
);
/** `form` is how a day is written: `YYYY-MM-DD` in the interface. */
export const notADate = coded(
  'values.notADate',
  ({ form }: { form: string }) => `Enter a valid date, written as ${form}.`,
);
export const notAnOption = coded(
  'values.notAnOption',
  ({ options }: { options: string }) => `The value must be one of: ${options}.`,
);
/** `options` are the first of `count`. */
export const notAnOptionOfMany = coded(
  'values.notAnOptionOfMany',
  ({ options, count }: { options: string; count: number }) =>
    `The value must be one of: ${options}, … (${count} in all).`,
);
export const tooLong = coded(
  'values.tooLong',
  ({ max }: { max: number }) => `The value may have at most ${formatCount(max)} characters.`,
);
export const atLeast = coded(
  'values.atLeast',
  ({ min }: { min: number | string }) => `The value must be at least ${min}.`,
);
export const atMost = coded(
  'values.atMost',
  ({ max }: { max: number | string }) => `The value must be at most ${max}.`,
);
export const notOfPattern = coded(
  'values.notOfPattern',
  'The value does not have the form that is defined for this field; see the description of the field.',
);
export const notLikeExample = coded(
  'values.notLikeExample',
  ({ example }: { example: string }) => `The value must be written like ${example}.`,
);
/** `description` is the definition's own text, without its full stop. */
export const notAsDescribed = coded(
  'values.notAsDescribed',
  ({ description }: { description: string }) => `${description}.`,
);
export const notAsDescribedWithExample = coded(
  'values.notAsDescribedWithExample',
  ({ description, example }: { description: string; example: string }) =>
    `${description}, for example ${example}.`,
);
export const hasNul = coded('values.hasNul', 'The text must not contain the NUL character.');
export const hasHalfCharacter = coded(
  'values.hasHalfCharacter',
  'The text contains an incomplete character: half of a surrogate pair (UTF-16).',
);
export const notAnIntegerNumber = coded(
  'values.notAnIntegerNumber',
  'The value must be a number: digits, with a minus sign if negative.',
);
export const notWhole = coded('values.notWhole', 'The value must be a whole number.');
export const notASafeInteger = coded(
  'values.notASafeInteger',
  'The value must be a number between -9007199254740991 and 9007199254740991.',
);
export const notADecimalNumber = coded(
  'values.notADecimalNumber',
  'The value must be a number: digits, with a point before decimal places.',
);
/** The same where numbers are written with a comma, as in some files. */
export const notADecimalNumberWithComma =
  'The value must be a number: digits, with a comma before decimal places.';
export const hasPlaces = coded(
  'values.hasPlaces',
  'The value must be a number without decimal places.',
);
export const tooManyPlaces = coded('values.tooManyPlaces', ({ max }: { max: number }) =>
  plural(max, {
    one: `The value must be a number with at most ${max} decimal place.`,
    other: `The value must be a number with at most ${max} decimal places.`,
  }),
);
export const tooManyDigits = coded(
  'values.tooManyDigits',
  ({ max }: { max: number }) => `The value must be a number with at most ${max} digits.`,
);
export const notABoolean = coded('values.notABoolean', 'The value must be true or false.');
export const noOffset = coded(
  'values.noOffset',
  'The date and time must end with an offset from UTC, such as +01:00 or Z.',
);
/** `form` is how a time of day is written: `HH:mm`. */
export const notATime = coded(
  'values.notATime',
  ({ form }: { form: string }) =>
    `Enter a valid time of day from 00:00 to 23:59:59, written as ${form}.`,
);
/** `form` is how a moment is written: `YYYY-MM-DDTHH:mm:ss+hh:mm` in the interface. */
export const notADatetime = coded(
  'values.notADatetime',
  ({ form }: { form: string }) => `The value must be a date and time, written as ${form}.`,
);
export const noRealDatetime = coded(
  'values.noRealDatetime',
  'Enter a valid date and time: hours 00 to 23, an offset up to 14:00.',
);

/** A time that the clocks skip when daylight saving time begins. */
export const skippedTime = coded(
  'values.skippedTime',
  ({ day, time }: { day: string; time: string }) =>
    `The time ${time} does not exist on ${day}, because the clocks are put forward. Enter another time, or add the offset from UTC, such as +01:00.`,
);
export const ambiguous = coded(
  'values.ambiguous',
  ({ typed, meanings }: { typed: string; meanings: readonly string[] }) =>
    `“${typed}” can mean ${meanings.join(' or ')}: enter one of them.`,
);
export const canMean = ({ meanings }: { meanings: readonly string[] }) =>
  `Can mean ${meanings.join(' or ')}`;

export const tooManyDigitsInCell = coded(
  'values.tooManyDigitsInCell',
  'The cell contains a number with more digits than spreadsheets store. Format the cell as text, and enter the number again.',
);
export const formulaError = coded(
  'values.formulaError',
  ({ error }: { error: string }) => `The cell contains the error ${error}.`,
);
export const noSuchDateInCell = coded(
  'values.noSuchDateInCell',
  'The date in the cell does not exist.',
);
export const keywordTooLong = coded(
  'values.keywordTooLong',
  ({ max }: { max: number }) => `A keyword may have at most ${max} characters.`,
);
export const tooManyKeywords = coded(
  'values.tooManyKeywords',
  ({ most }: { most: number }) => `A keyword field may have at most ${formatCount(most)} values.`,
);
