import { posix } from 'node:path';
import { visitXml, type XmlVisitor } from './xml.ts';
import type { ZipParts } from './zip-parts.ts';

/** How a number with a cell's style is displayed: as a date, with a minimum number of digits, or as it is. */
export type CellStyle = 'date' | 'number' | { readonly digits: number };

/** What the cells of a sheet refer to. */
export interface Workbook {
  /** the name of the part with the first sheet */
  readonly sheet: string;
  readonly sharedStrings: readonly string[];
  /** by the number of the style */
  readonly styles: readonly CellStyle[];
  /** whether day 0 is 1904-01-01 */
  readonly isFrom1904: boolean;
}

interface Relation {
  /** the last segment of its type */
  readonly type: string;
  /** the name of a part */
  readonly target: string;
}

/** Styles of a workbook (Microsoft's "Excel specifications and limits": 65,490). */
const MAX_STYLES = 100_000;
const MAX_RELATIONS = 10_000;
/** Different texts; each takes memory, however short it is. */
const MAX_STRINGS = 2_000_000;
/** Characters of a cell; Excel's limit is 32,767. */
const MAX_TEXT = 1024 * 1024;

/**
 * Reads what the first sheet of an XLSX file (ECMA-376, part 1) refers to.
 * @returns null if the file has no sheet
 * @throws {Error} if a part is damaged or too large
 */
export async function readWorkbook(parts: ZipParts): Promise<Workbook | null> {
  const main = firstOf(await readRelations(parts, ''), 'officeDocument');
  if (main === undefined) return null;
  const relations = await readRelations(parts, main);
  let isFrom1904 = false;
  let sheet: string | undefined;
  await visitPart(parts, main, {
    onOpen(name, attributes) {
      if (name === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const relation = relations.get(id);
      // Another sheet may be a chart.
      if (relation?.type === 'worksheet') sheet ??= relation.target;
    },
  });
  if (sheet === undefined) return null;
  return {
    sheet,
    sharedStrings: await readSharedStrings(parts, firstOf(relations, 'sharedStrings')),
    styles: await readStyles(parts, firstOf(relations, 'styles')),
    isFrom1904,
  };
}

/**
 * Collects the texts of a shared string or an inline string: of its runs, without hints for their pronunciation.
 * @see ECMA-376, part 1, 18.4.8
 */
export class StringCollector {
  #pieces: string[] = [];
  #length = 0;
  #inText = false;
  #inPhonetic = false;

  open(name: string): void {
    if (name === 't') this.#inText = true;
    else if (name === 'rPh') this.#inPhonetic = true;
  }

  /** @throws {Error} if the text is too long */
  text(piece: string): void {
    if (!this.#inText || this.#inPhonetic) return;
    this.#length += piece.length;
    if (this.#length > MAX_TEXT) throw new Error('A cell contains too long a text.');
    this.#pieces.push(piece);
  }

  close(name: string): void {
    if (name === 't') this.#inText = false;
    else if (name === 'rPh') this.#inPhonetic = false;
  }

  /** Returns the text and starts the next one. */
  take(): string {
    const text = decodeEscapes(this.#pieces.join(''));
    this.#pieces = [];
    this.#length = 0;
    return text;
  }
}

/** Characters that XML cannot contain are written as `_x000D_` (ECMA-376, part 1, 22.9.2.19). */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The relations of a part, or of the file, by their ids. */
async function readRelations(
  parts: ZipParts,
  part: string,
): Promise<ReadonlyMap<string, Relation>> {
  const { dir, base } = posix.parse(part);
  const relations = new Map<string, Relation>();
  await visitPart(parts, posix.join(dir, '_rels', `${base}.rels`), {
    onOpen(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return;
      if (relations.size >= MAX_RELATIONS) throw new Error('The file has too many relations.');
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(dir, Target);
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target });
    },
  });
  return relations;
}

function firstOf(relations: ReadonlyMap<string, Relation>, type: string): string | undefined {
  return relations.values().find((relation) => relation.type === type)?.target;
}

async function readSharedStrings(
  parts: ZipParts,
  part: string | undefined,
): Promise<readonly string[]> {
  const strings: string[] = [];
  const collector = new StringCollector();
  await visitPart(parts, part, {
    onOpen: (name) => collector.open(name),
    onText: (piece) => collector.text(piece),
    onClose(name) {
      collector.close(name);
      if (name === 'si') strings.push(collector.take());
      if (strings.length > MAX_STRINGS) throw new Error('The file has too many texts.');
    },
  });
  return strings;
}

async function readStyles(
  parts: ZipParts,
  part: string | undefined,
): Promise<readonly CellStyle[]> {
  const formats = new Map<string, string>();
  const used: string[] = [];
  let inCells = false;
  await visitPart(parts, part, {
    onOpen(name, { numFmtId = '', formatCode = '' }) {
      if (name === 'cellXfs') inCells = true;
      else if (name === 'numFmt') formats.set(numFmtId, formatCode);
      else if (name === 'xf' && inCells) used.push(numFmtId);
      if (used.length + formats.size > MAX_STYLES) {
        throw new Error('The file has too many styles.');
      }
    },
    onClose(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return used.map((id) => styleOf(id, formats.get(id)));
}

/** Built-in formats of dates and times (ECMA-376, part 1, 18.8.30). */
const DATE_FORMATS = /^(?:1[4-9]|2[0-27-9]|3[0-6]|4[5-7]|5[0-8])$/;
/** Parts of a format that are displayed as they are, colours and conditions. */
const LITERALS = /"[^"]*"|\\.|[*_].|\[(?![hms]+\])[^\]]*\]/gi;

/** @param format of the file; undefined for a built-in format */
function styleOf(id: string, format: string | undefined): CellStyle {
  if (format === undefined) return DATE_FORMATS.test(id) ? 'date' : 'number';
  // Post codes and article numbers are often stored as numbers that are displayed with leading zeros.
  if (/^0{2,15}$/.test(format)) return { digits: format.length };
  const codes = format.replaceAll(LITERALS, '');
  return !/general/i.test(codes) && /[ydhs]|m{3}|\[m+\]/i.test(codes) ? 'date' : 'number';
}

/** Reads a part, if it exists. */
async function visitPart(
  parts: ZipParts,
  part: string | undefined,
  visitor: XmlVisitor,
): Promise<void> {
  const stream = part === undefined ? undefined : await parts.stream(part);
  if (!stream) return;
  const chunks = visitXml(stream, visitor);
  while (!(await chunks.next()).done);
}
