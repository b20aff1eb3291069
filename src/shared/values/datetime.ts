import * as typeTexts from '#messages/value-types.ts';
import * as texts from '#messages/values.ts';
import { readInstant } from './iso-dates.ts';
import { dayForm, writeDay } from './locale-formats.ts';
import { interpretDay, daysInAnyNotation, splitDayAndTime } from './date-parsing.ts';
import {
  type Candidate,
  type Notation,
  type Interpretations,
  type OffsetsAt,
  parsedAs,
  type RawScalar,
  refused,
  type ValueTypeDefinition,
} from './value-type.ts';

/** A moment, `YYYY-MM-DDTHH:mm:ss[.fff](Z|±hh:mm)`, stored with its offset and compared by its instant. */
export const DATETIME: ValueTypeDefinition = {
  words: typeTexts.datetime,
  family: 'date',
  parse(raw: RawScalar) {
    const text = typeof raw === 'string' ? raw : '';
    switch (readInstant(text)) {
      case 'offset':
        return refused(texts.noOffset);
      case 'form':
        return refused(texts.notADatetime({ form: 'YYYY-MM-DDTHH:mm:ss+hh:mm' }));
      case 'real':
        return refused(texts.noRealDatetime);
      default:
        return parsedAs(text);
    }
  },
  isStored: (value) => typeof value === 'string' && typeof readInstant(value) === 'number',
  comparison: { by: 'number', numberOf: instantOf },
  isInstant: true,
  column: 'text',
  rules: ['min', 'max'],
  notationPart: 'order',
  read: interpretDatetime,
  readInAnyNotation: daysInAnyNotation,
  write(value, _scale, locale) {
    const [, day = '', minutes = '', seconds = '', offset = ''] =
      /^(.{10})T(.{5})(:[0-9.]+)(.+)$/.exec(String(value)) ?? [];
    const time = seconds === ':00' ? minutes : minutes + seconds;
    return `${writeDay(day, locale)} ${time} ${offset === 'Z' ? 'UTC' : offset}`;
  },
  form: (locale) => `${dayForm(locale)} HH:mm`,
  now: (local) => local,
  operators: ['gt', 'gte', 'lt', 'lte', 'eq', 'ne', 'null'],
  // With the offset.
  columnWidth: 188,
  sheet: { format: () => '@', width: 28 },
};

/** The instant of a stored date-time, in milliseconds since 1970 UTC. */
function instantOf(datetime: string): number {
  const instant = readInstant(datetime);
  if (typeof instant !== 'number') throw new Error(`Not a date-time: ${datetime}`);
  return instant;
}

function interpretDatetime(
  text: string,
  notation: Notation,
  offsetsAt: OffsetsAt | undefined,
): Interpretations {
  if (typeof readInstant(text) === 'number') return [{ raw: text, notation }];
  const split = splitDayAndTime(text);
  if (!split) return [];
  const { day, time, fraction, offset } = split;
  const meanings: Candidate[] = [];
  for (const meaning of interpretDay(day, notation)) {
    const local = `${meaning.raw}T${time}`;
    const real = typeof readInstant(`${local}Z`) === 'number';
    const zones = offset ? [writtenOffset(offset)] : real ? (offsetsAt?.(local) ?? ['']) : ['Z'];
    if (zones.length === 0) {
      return { unreadable: texts.skippedTime({ day: meaning.raw, time: time.slice(0, 5) }) };
    }
    for (const zone of zones) meanings.push({ ...meaning, raw: `${local}${fraction}${zone}` });
  }
  return meanings;
}

function writtenOffset(offset: string): string {
  if (/^(?:z|utc|gmt)$/iu.test(offset)) return 'Z';
  return offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
}
