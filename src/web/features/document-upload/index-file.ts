import { userLocale } from '#shared/messages/format.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { ColumnOverrides, SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { findByName, nameKey } from '#shared/rules/names.ts';
import { notationOf } from '#shared/values/readings.ts';
import * as texts from '#messages/document-upload.ts';
import type { FileFormat } from '#web/api/file-imports.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { readValue } from './read-value.ts';
import type { IndexDataOfFile, IndexValue } from './uploader.ts';

/** A spreadsheet that is known already: the archive was created from it. */
export interface GivenIndexFile {
  readonly file: File;
  readonly format: FileFormat;
  /** by column: replacements of the detected properties */
  readonly overrides: readonly ColumnOverrides[];
  /** by column: the name of its index field; null: none */
  readonly fieldNames: readonly (string | null)[];
}

/** A spreadsheet with the index data of files: one row per file, which names it. */
export interface IndexFile {
  readonly name: string;
  readonly sheet: SheetAnalysis;
  /** as given to `readIndexFile` */
  readonly fieldNames: readonly (string | null)[] | null;
  /** the position of the column with the file names */
  readonly fileColumn: number;
  /** the fields of the other columns; null: the archive has none with this name or label */
  readonly fields: readonly (IndexFieldDefinition | null)[];
  /** the row of each file by its name in lower case; null: several rows name it */
  readonly rows: ReadonlyMap<string, readonly string[] | null>;
}

/** Names of a column with file names, in several languages. */
const NAMES_FILES = /file|datei|fichier|archivo|bestand|dokument|document/i;
/** A text that ends with an extension, which has a letter: `a.pdf`, `a.7z`, but not the date `01.03.2026`. */
const FILE_NAME = /\.(?=\d*[a-z])[a-z\d]{1,5}$/i;

/**
 * Finds the fields of the columns, and the rows of the files.
 * @param fieldNames by column: the name of its index field; null: it is found by the header
 * @param fileColumn null: it is detected
 */
export function readIndexFile(
  { indexFieldDefinitions }: ArchiveDetail,
  sheet: SheetAnalysis,
  fieldNames: readonly (string | null)[] | null,
  fileColumn: number | null,
): IndexFile {
  const column = fileColumn ?? guessFileColumn(sheet);
  const rows = new Map<string, readonly string[] | null>();
  for (const { cells } of sheet.records) {
    const key = fileNameKey(cells[column] ?? '');
    if (key !== '') rows.set(key, rows.has(key) ? null : cells);
  }
  const fields = sheet.columns.map(({ header }, index) => {
    if (fieldNames) return findByName(indexFieldDefinitions, fieldNames[index] ?? '') ?? null;
    const labelled = indexFieldDefinitions.find(({ label }) => nameKey(label) === nameKey(header));
    return findByName(indexFieldDefinitions, header) ?? labelled ?? null;
  });
  return { name: sheet.name, sheet, fieldNames, fileColumn: column, fields, rows };
}

/**
 * The first column whose header means a file name and that contains a name with an extension; else the first one with
 * such a name in every row; else the header decides, and then the order.
 */
function guessFileColumn({ columns, records }: SheetAnalysis): number {
  const fileNames = columns.map(
    (_, index) => records.filter(({ cells }) => FILE_NAME.test((cells[index] ?? '').trim())).length,
  );
  const byHeader = columns.flatMap(({ header }, index) => (NAMES_FILES.test(header) ? index : []));
  const byBoth = byHeader.find((index) => fileNames[index] !== 0);
  const byContent = fileNames.findIndex((count) => count > 0 && count === records.length);
  return byBoth ?? (byContent >= 0 ? byContent : (byHeader[0] ?? 0));
}

/** A file is found by its name only, without folders and ignoring case. */
function fileNameKey(path: string): string {
  return path.trim().split(/[/\\]/).at(-1)?.toLowerCase() ?? '';
}

/** The index data of a file, or why it is invalid. */
export function valuesInIndexFile(
  { sheet, fields, rows }: IndexFile,
  fileName: string,
): IndexDataOfFile {
  const cells = rows.get(fileNameKey(fileName));
  if (cells === undefined) return { problem: texts.notInIndexFile };
  if (cells === null) return { problem: texts.severalRows };
  const locale = sheet.format.locale ?? userLocale();
  const own = notationOf(locale);
  const values: IndexValue[] = [];
  for (const [index, field] of fields.entries()) {
    const text = (cells[index] ?? '').trim();
    if (!field || text === '') continue;
    const { decimal, order } = sheet.columns[index] ?? { decimal: null, order: null };
    const notation = { ...own, decimal: decimal ?? own.decimal, order: order ?? own.order };
    const value = readValue(field, text, notation, locale);
    if ('problem' in value) return value;
    values.push(value);
  }
  return values;
}

/** The names in the spreadsheet without a chosen file. */
export function missingFiles({ rows }: IndexFile, fileNames: readonly string[]): readonly string[] {
  const known = new Set(fileNames.map(fileNameKey));
  return [...rows.keys()].filter((name) => !known.has(name));
}
