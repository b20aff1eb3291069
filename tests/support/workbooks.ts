import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** XML within the root element of a part; large ones in pieces. */
type Content = string | Iterable<string>;

interface WorkbookParts {
  /** within `workbook`, before its only sheet */
  readonly workbook?: string;
  /** the whole part, where the root element or what stands before it matters */
  readonly wholeSheet?: string;
  /** within `sheetData` */
  readonly rows?: Content;
  /** within `sst` */
  readonly strings?: Content;
  /** within `styleSheet` */
  readonly styles?: Content;
}

/** An XLSX file with a sheet, shared strings and styles as they are given. */
export async function buildWorkbook({
  workbook = '',
  wholeSheet,
  rows = '',
  strings = '',
  styles = '',
}: WorkbookParts): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  const add = (name: string, ...content: Content[]) =>
    zip.addReadStream(Readable.from(piecesOf(content)), name);
  const relation = (type: string, target: string) =>
    `<Relationship Id="${type}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (...all: string[]) =>
    `<Relationships xmlns="${PACKAGE}">${all.join('')}</Relationships>`;
  add('_rels/.rels', relations(relation('officeDocument', 'xl/workbook.xml')));
  add(
    'xl/_rels/workbook.xml.rels',
    relations(
      relation('worksheet', 'worksheets/sheet1.xml'),
      relation('styles', 'styles.xml'),
      relation('sharedStrings', 'sharedStrings.xml'),
    ),
  );
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}">${workbook}`,
    '<sheets><sheet name="A" sheetId="1" r:id="worksheet"/></sheets></workbook>',
  );
  if (wholeSheet === undefined) {
    const begin = `<worksheet xmlns="${SPREADSHEET}"><sheetData>`;
    add('xl/worksheets/sheet1.xml', begin, rows, '</sheetData></worksheet>');
  } else add('xl/worksheets/sheet1.xml', wholeSheet);
  add('xl/sharedStrings.xml', `<sst xmlns="${SPREADSHEET}">`, strings, '</sst>');
  add('xl/styles.xml', `<styleSheet xmlns="${SPREADSHEET}">`, styles, '</styleSheet>');
  zip.end();
  return Buffer.from(await buffer(Readable.from(zip.outputStream)));
}

function* piecesOf(content: readonly Content[]): Generator<Buffer> {
  for (const part of content) {
    for (const piece of typeof part === 'string' ? [part] : part) yield Buffer.from(piece);
  }
}
