import * as typeTexts from '#messages/value-types.ts';
import * as texts from '#messages/values.ts';
import { hourOfDay } from './date-parsing.ts';
import { ORDERED_OPERATORS, parsedAs, refused, type ValueTypeDefinition } from './value-type.ts';

/** A time of day, `HH:mm` or `HH:mm:ss` as it was sent, without a day and an offset. Compared by its seconds. */
export const TIME: ValueTypeDefinition = {
  words: typeTexts.time,
  family: 'time',
  parse: (raw) =>
    typeof raw === 'string' && FORM.test(raw)
      ? parsedAs(raw)
      : refused(texts.notATime({ form: 'HH:mm' })),
  isStored: (value) => typeof value === 'string' && FORM.test(value),
  comparison: { by: 'number', numberOf: secondOfDay },
  column: 'text',
  rules: ['min', 'max'],
  notationPart: null,
  read(text, notation) {
    const { hour, minute, second, half } = matchWritten(text);
    const hours = hour === undefined ? null : hourOfDay(hour, half);
    if (hours === null) return [];
    const seconds = second === undefined ? '' : `:${second}`;
    return [{ raw: `${hours}:${minute ?? '00'}${seconds}`, notation }];
  },
  expandTyped: (typed) =>
    /^(?:\d{3}|\d{5,6})$/.test(typed.trim())
      ? typed
          .trim()
          .replace(/^(\d{1,2})(\d\d)(\d\d)?$/, (_, hour, minute, second) =>
            second === undefined ? `${hour}:${minute}` : `${hour}:${minute}:${second}`,
          )
      : null,
  write: (value) => String(value),
  form: () => 'HH:mm',
  now: (local) => local.slice(11, 16),
  operators: ORDERED_OPERATORS,
  columnWidth: 84,
  sheet: {
    format: () => 'hh:mm:ss',
    toDate: (value) => new Date(`1899-12-31T${value.padEnd(8, ':00')}Z`),
  },
};

const FORM = /^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?$/;

/** The second of the day of a stored time, 0 to 86,399. */
function secondOfDay(time: string): number {
  if (!FORM.test(time)) throw new Error(`Not a time: ${time}`);
  const [hours, minutes, seconds] = [time.slice(0, 2), time.slice(3, 5), time.slice(6)].map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
}

/** `9:30`, `9.30`, `9h30`, `9:30:15`, `0930`, `9:30 pm`, `9 pm`, `9 Uhr`. With two full stops it may be a date. */
const WRITTEN = [
  /^(?<hour>[0-9]{1,2})(?:[:.]|\s?h\s?)(?<minute>[0-9]{2})(?:\s*(?<half>[ap]\.?m\.?)|\s*(?:Uhr|h))?$/iu,
  /^(?<hour>[0-9]{1,2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})(?:\s*(?<half>[ap]\.?m\.?)|\s*(?:Uhr|h))?$/iu,
  /^(?<hour>[0-9]{2})(?<minute>[0-9]{2})$/u,
  /^(?<hour>[0-9]{1,2})\s*(?:(?<half>[ap]\.?m\.?)|Uhr|h)$/iu,
];

function matchWritten(text: string): Readonly<Record<string, string | undefined>> {
  for (const pattern of WRITTEN) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return groups;
  }
  return {};
}
