import type { Readable } from 'node:stream';
import type { ZipParts } from './zip-parts.ts';

/*
 * Post codes and article numbers are often stored as numbers with a format that displays leading zeros: 1067 as 01067.
 * The displayed text is meant, but the sheet library returns the number only.
 */

/** The minimum number of digits with which a number is displayed. */
interface Padding {
  readonly digits: number;
  /** as it is in the file */
  readonly text: string;
}

/** By cell number, from 0. */
export type RowPaddings = ReadonlyMap<number, Padding>;

/** The longest text between two tags. */
const MAX_CELL_TEXT = 4 * 1024 * 1024;

/** The cells of a row as the sheet displays them. */
export function shownPadded<Value>(values: readonly Value[], padded: RowPaddings) {
  return values.map((value, place): Value | string => {
    const padding = padded.get(place);
    // If the two parsers disagree about the cell, the number stays.
    const same = padding && typeof value === 'number' && Number(padding.text) === value;
    if (!same || !/^-?\d+$/.test(padding.text)) return value;
    const size = padding.text.replace('-', '').padStart(padding.digits, '0');
    return padding.text.startsWith('-') ? `-${size}` : size;
  });
}

/** The numbers of the first sheet that are displayed with leading zeros, row by row; nothing if the file has no such format. */
export async function* readPaddings(parts: ZipParts): AsyncGenerator<RowPaddings> {
  const digits = digitsByStyle(await parts.text('xl/styles.xml'));
  if (digits.size === 0) return;
  const workbook = await parts.text('xl/workbook.xml');
  const sheet = await parts.stream(firstSheet(workbook, await parts.text(RELATIONS)));
  if (!sheet) return;
  let row = new Map<number, Padding>();
  let started = false;
  let place = -1;
  let style = '';
  for await (const [, tag, attributes = '', text = ''] of tagsOf(sheet)) {
    if (tag === 'row') {
      if (started) yield row;
      started = true;
      row = new Map();
      place = -1;
    } else if (tag === 'c') {
      const column = /\br="([A-Z]{1,3})/.exec(attributes)?.[1];
      place = column === undefined ? place + 1 : placeOf(column);
      style = /\bt="(?!n")/.test(attributes) ? '' : (/\bs="(\d+)"/.exec(attributes)?.[1] ?? '');
    } else {
      const shown = digits.get(style);
      if (shown !== undefined) row.set(place, { digits: shown, text: text.trim() });
    }
  }
  if (started) yield row;
}

const RELATIONS = 'xl/_rels/workbook.xml.rels';
const TAG = /<(?:\w+:)?(row|c|v)(?=[\s/>])([^<>]*)>([^<]*)/g;

/** The opening tags of rows, cells and values with their text, streamed. */
async function* tagsOf(stream: Readable): AsyncGenerator<RegExpExecArray> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue;
    rest += decoder.decode(chunk, { stream: true });
    // The text from the last tag on may continue in the next chunk.
    const end = rest.lastIndexOf('<');
    yield* rest.slice(0, Math.max(0, end)).matchAll(TAG);
    rest = rest.slice(Math.max(0, end));
    if (rest.length > MAX_CELL_TEXT) return;
  }
  yield* rest.matchAll(TAG);
}

/** The minimum number of digits of cell styles whose format consists of zeros, by the number of the style. */
function digitsByStyle(styles: string): ReadonlyMap<string, number> {
  const formats = new Map<string, number>();
  for (const [, attributes = ''] of styles.matchAll(/<(?:\w+:)?numFmt\s([^<>]*)>/g)) {
    const id = /\bnumFmtId="(\d+)"/.exec(attributes)?.[1];
    const zeros = /\bformatCode="(0{2,15})"/.exec(attributes)?.[1];
    if (id !== undefined && zeros !== undefined) formats.set(id, zeros.length);
  }
  const [, cells = ''] = /<(?:\w+:)?cellXfs\b[^>]*>([^]*?)<\/(?:\w+:)?cellXfs>/.exec(styles) ?? [];
  const digits = new Map<string, number>();
  for (const [at, [, attributes = '']] of [
    ...cells.matchAll(/<(?:\w+:)?xf(?=[\s/>])([^<>]*)>/g),
  ].entries()) {
    const shown = formats.get(/\bnumFmtId="(\d+)"/.exec(attributes)?.[1] ?? '');
    if (shown !== undefined) digits.set(String(at), shown);
  }
  return digits;
}

/** The name of the part with the first sheet; '' if unknown. */
function firstSheet(workbook: string, relations: string): string {
  const [, attributes = ''] = /<(?:\w+:)?sheet\s([^<>]*)>/.exec(workbook) ?? [];
  const id = /\b\w+:id="([^"]*)"/.exec(attributes)?.[1];
  for (const [, relation = ''] of relations.matchAll(/<(?:\w+:)?Relationship\s([^<>]*)>/g)) {
    if (id === undefined || /\bId="([^"]*)"/.exec(relation)?.[1] !== id) continue;
    const target = /\bTarget="([^"]*)"/.exec(relation)?.[1] ?? '';
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  }
  return '';
}

/** A is 0, Z is 25, AA is 26. */
function placeOf(letters: string): number {
  let place = 0;
  for (let i = 0; i < letters.length; i += 1) place = place * 26 + letters.charCodeAt(i) - 64;
  return place - 1;
}
