import * as texts from '#messages/service/loading.ts';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse, type Parser } from 'csv-parse';
import { detectDelimiter } from 'hucre/csv';
import { detectEncoding } from '../spreadsheets/text-format.ts';
import { fileProblem, LoadError } from '../definition-files/load-error.ts';
import { codeOf } from '#server/lib/caught-errors.ts';

/** A record of a CSV file with its first line (from 1). */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The format of a CSV file. */
export interface CsvFormat {
  readonly separator: string;
  /** a label of `TextDecoder` */
  readonly encoding: string;
}

/** RFC 4180. */
const STANDARD: CsvFormat = { separator: ',', encoding: 'utf-8' };

/** A pass over a CSV file. */
export interface CsvReading {
  /** the header first; blank lines are skipped */
  readonly records: AsyncGenerator<CsvRecord>;
  /** progress, 0 to 1 */
  fraction(): number;
}

/** An unclosed quote must not read the rest of the file into memory. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/**
 * Reads a CSV file (RFC 4180, with other separators and encodings, with or without byte order mark, `.gz` decompressed) record
 * by record. Values are not changed.
 * @throws {LoadError} if the file does not exist; reading the records throws one if the file is invalid
 */
export async function readCsv(path: string, format = STANDARD): Promise<CsvReading> {
  const size = await sizeOf(path);
  let read = 0;
  const source = createReadStream(path);
  source.on('data', (chunk) => {
    read += chunk.length;
  });
  return {
    records: withLines(path, format, parserOf(path, format, source)),
    fraction: () => (size === 0 ? 1 : read / size),
  };
}

/**
 * Detects the missing parts of a CSV file's format: the encoding from all bytes, the separator from the first line.
 * @throws {LoadError} if the file does not exist or is not text
 */
export async function detectFormat(
  path: string,
  given: { readonly [Key in keyof CsvFormat]?: string | undefined },
): Promise<CsvFormat> {
  await sizeOf(path);
  try {
    const encoding = given.encoding ?? (await detectEncoding(bytesOf(path)));
    const separator = given.separator ?? detectDelimiter(await readFirstLine(path, encoding));
    return { separator, encoding };
  } catch (error) {
    throw error instanceof LoadError
      ? error
      : new LoadError(problemOf(path, STANDARD, 1, error), { cause: error });
  }
}

/** The longest first line that is a header. */
const MAX_HEADER_LENGTH = 1024 * 1024;

async function readFirstLine(path: string, encoding: string): Promise<string> {
  const decoder = new TextDecoder(encoding);
  let text = '';
  for await (const chunk of bytesOf(path)) {
    text += decoder.decode(chunk, { stream: true });
    if (/[\r\n]/.test(text) || text.length > MAX_HEADER_LENGTH) break;
  }
  const [line = ''] = text.split(/[\r\n]/, 1);
  if (line.includes('\u0000')) throw new LoadError(texts.notCsvFile(path));
  return line;
}

/** The decompressed bytes of a file. */
function bytesOf(path: string): AsyncIterable<Buffer> {
  const source = createReadStream(path);
  if (!isPacked(path)) return source;
  const unpacked = createGunzip();
  pipeline([source, unpacked], () => undefined);
  return unpacked;
}

function isPacked(path: string): boolean {
  return path.toLowerCase().endsWith('.gz');
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new LoadError(texts.directoryNotCsv(path));
    return found.size;
  } catch (error) {
    throw error instanceof LoadError ? error : new LoadError(fileProblem(path, error));
  }
}

/** @param most the maximum number of records */
function parserOf(
  path: string,
  { separator, encoding }: CsvFormat,
  source: ReadStream,
  most?: number,
): Parser {
  const parser = parse({
    bom: true,
    delimiter: separator,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    ...(most === undefined ? {} : { to: most }),
  });
  const steps = isPacked(path) ? [createGunzip()] : [];
  // Errors reach the reader of the records through the parser.
  pipeline([source, ...steps, toUtf8(encoding), parser], () => undefined);
  return parser;
}

async function* withLines(
  path: string,
  format: CsvFormat,
  parser: AsyncIterable<readonly string[]>,
): AsyncGenerator<CsvRecord> {
  let line = 1;
  let width = 0;
  try {
    for await (const cells of parser) {
      width ||= cells.length;
      // In a file with one column, an empty line is a row.
      const blank = width > 1 && cells.length === 1 && cells[0] === '';
      if (!blank) yield { line, cells };
      line += 1 + lineBreaks(cells);
    }
  } catch (error) {
    const at =
      error instanceof CsvError ? await lineAfter(path, format, Number(error['records'])) : line;
    throw new LoadError(problemOf(path, format, at, error), { cause: error });
  }
}

/** The line after so many records: before an error, the parser may not have emitted the last ones. */
async function lineAfter(path: string, format: CsvFormat, records: number): Promise<number> {
  let line = 1;
  if (records === 0) return line;
  for await (const cells of parserOf(path, format, createReadStream(path), records)) {
    line += 1 + lineBreaks(cells);
  }
  return line;
}

function lineBreaks(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count++;
  }
  return count;
}

function problemOf(
  path: string,
  { separator, encoding }: CsvFormat,
  line: number,
  error: unknown,
): string {
  if (error instanceof BadEncoding) {
    const name = encoding.toUpperCase();
    return texts.encodingWrong({ path, name, line });
  }
  if (error instanceof CsvError) {
    const row = texts.rowAt({ path, line });
    switch (error.code) {
      case 'CSV_QUOTE_NOT_CLOSED':
        return texts.quoteNotClosed(row);
      case 'CSV_INVALID_CLOSING_QUOTE':
        return texts.quoteEndMisplaced[separator === ',' ? 'comma' : 'separator'](row);
      case 'INVALID_OPENING_QUOTE':
        return texts.quoteMisplaced(row);
      case 'CSV_MAX_RECORD_SIZE':
        return texts.rowTooLong(row);
      default:
        return texts.notCsv({ row, message: error.message });
    }
  }
  const code = codeOf(error);
  if (code.startsWith('Z_')) return texts.notGzip({ path, line });
  return fileProblem(path, error);
}

class BadEncoding extends Error {}

/** Converts bytes to UTF-8; fails for invalid ones instead of replacing them. */
function toUtf8(encoding: string): Transform {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const pass = (decode: () => string, done: TransformCallback, chunk?: Buffer) => {
    let text: string;
    try {
      text = decode();
    } catch {
      done(new BadEncoding());
      return;
    }
    // UTF-8 is passed through.
    done(null, decoder.encoding === 'utf-8' ? chunk : text);
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      pass(() => decoder.decode(chunk, { stream: true }), done, chunk);
    },
    flush(done) {
      pass(() => decoder.decode(), done);
    },
  });
}
