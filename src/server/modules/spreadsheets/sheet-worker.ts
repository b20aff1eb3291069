import * as texts from '#messages/service/spreadsheets.ts';
import type { Message } from '#shared/messages/message.ts';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'csv-parse';
import { detectDelimiter } from 'hucre/csv';
import { MAX_SHEET_COLUMNS } from '#shared/rules/limits.ts';
import { restoreCsv } from '#shared/values/csv-formulas.ts';
import { detectEncoding } from './text-format.ts';
import type { CellValue } from './xlsx-rows.ts';
import { codeOf } from '#server/lib/caught-errors.ts';

/* Reads one spreadsheet in its own thread, so that a large or malicious file neither blocks the service nor takes
   its memory. Posts rows in chunks and continues on request. */

/** The format of a spreadsheet. */
export interface SheetFormat {
  readonly type: 'xlsx' | 'csv';
  /** the separator of CSV; null: XLSX */
  readonly separator: string | null;
  /** of CSV, as a label of `TextDecoder`; null: XLSX */
  readonly encoding: string | null;
}

/** The messages of the thread: a chunk of rows, the end, or why the file cannot be read. */
export type SheetMessage =
  | { readonly kind: 'rows'; readonly format: SheetFormat; readonly rows: readonly PostedRow[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'unreadable'; readonly message: Message };

interface PostedRow {
  /** of the sheet, from 1 */
  readonly line: number;
  readonly cells: readonly CellValue[];
}

/** The file cannot be read; the message is for the user. */
class Unreadable extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(reason.message);
    this.reason = reason;
  }
}

const MAX_ROWS_PER_MESSAGE = 500;
const MAX_CHARACTERS_PER_MESSAGE = 2_000_000;
/** Rows of a sheet of XLSX, empty ones included (Microsoft's "Excel specifications and limits"). */
const MAX_LINE = 1_048_576;
/**
 * Maximum number of cells of a sheet, including empty ones, which limits the time to read a small file with millions of
 * them.
 */
const MAX_CELLS = 20_000_000;
/**
 * Maximum number of separators in CSV without a line break, including quoted ones: the parser keeps all cells of a line
 * in memory.
 */
const MAX_SEPARATORS = 500_000;
const HEAD_BYTES = 64 * 1024;

/** The thread's task. */
interface Task {
  readonly path: string;
  readonly separator?: string;
  readonly encoding?: string;
}

interface OpenedSheet {
  readonly format: SheetFormat;
  readonly rows: AsyncIterable<PostedRow>;
}

async function openSheet({ path, ...given }: Task): Promise<OpenedSheet> {
  const head = await readHead(path);
  if (head.subarray(0, 4).equals(ZIP)) {
    return { format: { type: 'xlsx', separator: null, encoding: null }, rows: readXlsx(path) };
  }
  if (head.subarray(0, 8).equals(COMPOUND)) throw new Unreadable(texts.protectedOrOld);
  const encoding = given.encoding ?? (await detectEncoding(createReadStream(path)));
  const start = new TextDecoder(encoding).decode(head);
  if (start.includes('\u0000')) throw new Unreadable(texts.neitherXlsxNorCsv);
  const separator = given.separator ?? detectDelimiter(start);
  const rows = readCsvRows(path, separator, encoding);
  return { format: { type: 'csv', separator, encoding }, rows };
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

async function* readXlsx(path: string): AsyncGenerator<PostedRow> {
  // Loaded on demand: loading the parser of XML takes longer than reading most CSV.
  const [{ ZipParts }, { readWorkbook }, { readXlsxRows }] = await Promise.all([
    import('./zip-parts.ts'),
    import('./workbook.ts'),
    import('./xlsx-rows.ts'),
  ]);
  const parts = await ZipParts.open(path);
  const workbook = await readWorkbook(parts);
  if (!workbook) throw new Unreadable(texts.damagedOrNoXlsx);
  let line = 0;
  let rows = 0;
  let cells = 0;
  for await (const { number, values } of readXlsxRows(parts, workbook)) {
    rows += 1;
    cells += values.length;
    if (rows > MAX_LINE) throw new Unreadable(texts.sheetHasTooManyRows({ max: MAX_LINE }));
    if (cells > MAX_CELLS) throw new Unreadable(texts.sheetHasTooManyCells({ max: MAX_CELLS }));
    // Rows come in order; their own row numbers are not trusted.
    line = Number.isInteger(number) && number > line && number <= MAX_LINE ? number : line + 1;
    yield { line, cells: values };
  }
  parts.close();
  if (line === 0) throw new Unreadable(texts.sheetEmpty);
}

async function* readCsvRows(
  path: string,
  separator: string,
  encoding: string,
): AsyncGenerator<PostedRow> {
  const decoder = new TextDecoder(encoding);
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: 16 * 1024 * 1024,
    info: true,
  });
  const feed = async () => {
    let separators = 0;
    for await (const chunk of createReadStream(path)) {
      if (!Buffer.isBuffer(chunk)) continue;
      const text = decoder.decode(chunk, { stream: true });
      const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
      separators = (end < 0 ? separators : 0) + text.slice(end + 1).split(separator).length - 1;
      if (separators > MAX_SEPARATORS) {
        throw new Unreadable(
          texts.tooManyColumns({ line: parser.info.lines, max: MAX_SHEET_COLUMNS }),
        );
      }
      if (!parser.write(text)) {
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

async function main(task: Task) {
  const port = parentPort;
  if (!port) throw new Error('This module runs in a thread of its own.');
  const post = (message: SheetMessage) => port.postMessage(message);
  try {
    const sheet = await openSheet(task);
    let rows: PostedRow[] = [];
    let characters = 0;
    const postRows = async () => {
      post({ kind: 'rows', format: sheet.format, rows });
      // The receiver must be listening again before the next chunk is posted.
      await new Promise((resolve) => port.once('message', resolve));
      rows = [];
      characters = 0;
    };
    for await (const row of sheet.rows) {
      if (row.cells.every((cell) => cell === null || cell === '')) continue;
      if (row.cells.length > MAX_SHEET_COLUMNS) {
        throw new Unreadable(texts.tooManyColumns({ line: row.line, max: MAX_SHEET_COLUMNS }));
      }
      rows.push(row);
      for (const cell of row.cells) if (typeof cell === 'string') characters += cell.length;
      const isFull =
        rows.length >= MAX_ROWS_PER_MESSAGE || characters >= MAX_CHARACTERS_PER_MESSAGE;
      if (isFull) await postRows();
    }
    if (rows.length > 0) await postRows();
    post({ kind: 'end' });
  } catch (error) {
    post({
      kind: 'unreadable',
      message: error instanceof Unreadable ? error.reason : reasonOf(error),
    });
  }
  port.close();
}

function reasonOf(error: unknown): Message {
  const code = codeOf(error);
  if (code === 'CSV_QUOTE_NOT_CLOSED') return texts.quoteNotClosed;
  if (code.startsWith('CSV_')) return texts.quoteMisplaced;
  return texts.damagedOrTooLarge;
}

const task: Task = workerData;
void main(task);
