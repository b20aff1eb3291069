import type { Column } from '#shared/rules/definitions.ts';
import { valueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { userLocale } from '#shared/messages/format.ts';
import { shownValue } from '#web/fields/value-text.ts';
import * as commonTexts from '#messages/common.ts';

/** A value as the panel shows it. */
export function valueText(column: Column, value: Scalar): string {
  if (value === null) return commonTexts.noValue;
  if (value === '') return commonTexts.emptyText;
  return shownValue(column, value);
}

/** An exact sum, with the column's places; sums beyond the range of numbers are texts. */
export function sumText(column: Column, sum: number | string | null): string {
  if (sum === null) return '';
  const places = valueType(column.type).placesOf?.(column.scale) ?? 0;
  return new Intl.NumberFormat(userLocale(), {
    minimumFractionDigits: places,
    maximumFractionDigits: Math.max(places, 20),
  }).format(typeof sum === 'number' ? sum : asDecimal(sum));
}

/** A mean with all places from the service. */
export function meanText(mean: string | null): string {
  if (mean === null) return '';
  const places = mean.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(userLocale(), {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(asDecimal(mean));
}

/** Intl formats decimal texts exactly. */
function asDecimal(text: string): Intl.StringNumericLiteral | number {
  return isNumeric(text) ? text : Number(text);
}

function isNumeric(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}
