import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'csv-parse';
import { streamXlsxRows } from 'hucre/xlsx';
import { restoreCsv } from '#shared/values/csv-formulas.ts';
import { detectEncoding, detectSeparator } from './csv-format.ts';
import { readPaddings, shownPadded } from './padded-numbers.ts';
import { ZipParts } from './zip-parts.ts';

/*
 * Reads one spreadsheet in a thread of its own, so that a large or malicious file neither holds up the service nor
 * takes its memory. Posts rows in pieces and continues when it is told to.
 */

/** What the thread posts: a piece of rows, the end, or a sentence on why the file cannot be read. */
export type SheetMessage =
  | { readonly kind: 'rows'; readonly rows: readonly PostedRow[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'unreadable'; readonly message: string };

interface PostedRow {
  /** of the sheet, from 1 */
  readonly line: number;
  readonly cells: readonly (string | number | boolean | Date | null)[];
}

class Unreadable extends Error {}

const ROWS_A_PIECE = 500;
const CHARACTERS_A_PIECE = 2_000_000;
const MAX_COLUMNS = 1_000;
/** Rows of a sheet of XLSX, empty ones included (Microsoft's "Excel specifications and limits"). */
const MAX_LINE = 1_048_576;
/** Cells of a sheet, empty ones included: the time to read a small file of millions of them is bounded. */
const MAX_CELLS = 20_000_000;
const HEAD_BYTES = 64 * 1024;
/** Unpacked; sheets are read as a stream, other parts whole. */
const MAX_SHEET_BYTES = 512 * 1024 * 1024;
const MAX_PART_BYTES = 128 * 1024 * 1024;

async function* readRows(path: string): AsyncGenerator<PostedRow> {
  const head = await readHead(path);
  if (head.subarray(0, 4).equals(ZIP)) yield* readXlsxRows(path);
  else if (head.subarray(0, 8).equals(COMPOUND)) {
    throw new Unreadable(
      'The file is protected by a password or of an Excel from before 2007. Save it as XLSX without a password.',
    );
  } else yield* readCsvRows(path, head);
}

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* readXlsxRows(path: string): AsyncGenerator<PostedRow> {
  const file = await readFile(path);
  const parts = await openParts(file);
  let line = 0;
  let rows = 0;
  let cells = 0;
  const paddings = readPaddings(parts);
  for await (const { index, values } of streamXlsxRows(file)) {
    rows += 1;
    cells += values.length;
    if (rows > MAX_LINE) throw new Unreadable(tooMany('rows', MAX_LINE));
    if (cells > MAX_CELLS) throw new Unreadable(tooMany('cells', MAX_CELLS));
    const { value: padded } = await paddings.next();
    // Rows come in their order; what they say of their own number may be anything.
    const said = index + 1;
    line = Number.isInteger(said) && said > line && said <= MAX_LINE ? said : line + 1;
    yield { line, cells: padded ? shownPadded(values, padded) : values };
  }
  if (line === 0) throw new Unreadable('The first sheet of the file is empty.');
}

/** @throws {Unreadable} if the reader of sheets may not unpack a part */
async function openParts(file: Buffer): Promise<ZipParts> {
  try {
    const parts = await ZipParts.open(file);
    await parts.checkSizes((name) =>
      name.includes('worksheets/') ? MAX_SHEET_BYTES : MAX_PART_BYTES,
    );
    return parts;
  } catch (error) {
    throw new Unreadable('The file is damaged, or too large to be read.', { cause: error });
  }
}

function tooMany(what: 'rows' | 'cells', most: number): string {
  return `The first sheet of the file has more than ${most.toLocaleString('en')} ${what}, empty ones included. Delete the empty rows and columns, or split the file.`;
}

async function* readCsvRows(path: string, head: Buffer): AsyncGenerator<PostedRow> {
  const encoding = await detectEncoding(createReadStream(path));
  const decoder = new TextDecoder(encoding);
  const start = new TextDecoder(encoding).decode(head);
  if (start.includes('\u0000')) {
    throw new Unreadable('The file is neither XLSX nor CSV.');
  }
  const parser = parse({
    delimiter: detectSeparator(start),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: 16 * 1024 * 1024,
    info: true,
  });
  const feed = async () => {
    for await (const chunk of createReadStream(path)) {
      if (!Buffer.isBuffer(chunk)) continue;
      if (!parser.write(decoder.decode(chunk, { stream: true }))) {
        await new Promise((resolve) => parser.once('drain', resolve));
      }
    }
    parser.end(decoder.decode());
  };
  feed().catch((error: unknown) => parser.destroy(error instanceof Error ? error : undefined));
  for await (const { record, info } of parser) {
    yield {
      line: Number(info.lines),
      cells: record.map((text: string) => (text === '' ? null : restoreCsv(text))),
    };
  }
}

async function main(path: string) {
  const port = parentPort;
  if (!port) throw new Error('This module runs in a thread of its own.');
  const post = (message: SheetMessage) => port.postMessage(message);
  // Whoever listens has to be listening again before the next piece is posted.
  const postRows = async (rows: readonly PostedRow[]) => {
    post({ kind: 'rows', rows });
    await new Promise((resolve) => port.once('message', resolve));
  };
  try {
    let rows: PostedRow[] = [];
    let characters = 0;
    for await (const row of readRows(path)) {
      if (row.cells.every((cell) => cell === null || cell === '')) continue;
      if (row.cells.length > MAX_COLUMNS) {
        throw new Unreadable(`Line ${row.line} of the file has more than ${MAX_COLUMNS} columns.`);
      }
      rows.push(row);
      for (const cell of row.cells) if (typeof cell === 'string') characters += cell.length;
      if (rows.length < ROWS_A_PIECE && characters < CHARACTERS_A_PIECE) continue;
      await postRows(rows);
      rows = [];
      characters = 0;
    }
    if (rows.length > 0) await postRows(rows);
    post({ kind: 'end' });
  } catch (error) {
    const known = error instanceof Unreadable;
    post({ kind: 'unreadable', message: known ? error.message : reasonOf(error) });
  }
  port.close();
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'A quotation mark in the file is never closed.';
  if (code.startsWith('CSV_'))
    return 'The file is no CSV that can be read: a quotation mark stands where none can.';
  return 'The file is damaged, or no XLSX.';
}

const path: unknown = workerData;
if (typeof path === 'string') void main(path);
