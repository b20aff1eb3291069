import { keywordFieldName } from '#shared/rules/names.ts';
import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/service/spreadsheets.ts';
import * as rowTexts from '#messages/service/import-rows.ts';
import type { Database } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { ImportedRow } from '../bulk-edits/bulk-edits.service.ts';
import {
  type ImportRow,
  importRows,
  readLayout,
  type RowReading,
  withoutAliases,
} from './import-rows.ts';
import { readAliases } from '../value-aliases/value-aliases.ts';
import type { ImportedFile } from './below-headers.ts';

/** Rows whose revisions are read together. */
const ROWS_A_STEP = 100;
/** Bad lines that an error lists. */
const MAX_NAMED = 20;

/**
 * Reads the changes that an imported spreadsheet makes to the revisions of an archive.
 * @param columns the meaning of its columns; null: by their headers
 * @throws {ApiError} 422 under `files.0` or `columns.N`
 */
export async function wantedRows(
  database: Database,
  archive: Archive,
  file: ImportedFile,
  columns: readonly ImportColumn[] | null,
): Promise<ImportedRow[]> {
  const wanted = new Map<number, ImportedRow>();
  const repeated = new Set<number>();
  const faults: Message[] = [];
  let step: (ImportRow & { readonly id: number })[] = [];

  const take = async () => {
    const rows = step;
    step = [];
    const found = await database.read((db) =>
      readRecords(
        db,
        archive,
        rows.map(({ id }) => id),
      ),
    );
    for (const { id, line, ifMatch, read } of rows) {
      const before = wanted.get(id);
      if (before) {
        // Only the first repetition is reported.
        if (!repeated.has(id)) {
          const problem = rowTexts.revisionTwice(line);
          wanted.set(id, { ...before, problems: [...(before.problems ?? []), problem] });
        }
        repeated.add(id);
        continue;
      }
      const record = found.get(id);
      // The planning of the rows reports missing revisions.
      const reading = record ? read(record) : NOTHING;
      wanted.set(id, {
        revisionId: id,
        line,
        ifMatch,
        values: byName(archive.fields, reading.values, NO_VALUES),
        keywords: byName(archive.keywordFields, reading.keywords, NO_KEYWORDS, keywordFieldName),
        problems: reading.problems,
        notes: reading.notes ?? [],
      });
    }
  };

  const layout = await readLayout(archive, file, columns);
  if (layout.id === null) {
    throw new ApiError('validation_failed', { 'files.0': [texts.noIdColumn] });
  }
  const aliases = await database.read((db) => readAliases(db, archive));
  const rows = withoutAliases(archive, aliases, importRows(archive, file, layout));
  for await (const row of rows) {
    const { id, line } = row;
    if (id === null || id === 0) {
      if (faults.length < MAX_NAMED) faults.push(texts.rowWithoutId({ line }));
      continue;
    }
    step.push({ ...row, id });
    if (step.length >= ROWS_A_STEP) await take();
  }
  if (faults.length > 0) throw new ApiError('validation_failed', { 'files.0': faults });
  await take();
  return [...wanted.values()];
}

const NOTHING: RowReading = { values: new Map(), keywords: new Map(), problems: [] };
/** Shared by all rows without changes, which are most. */
const NO_VALUES: ReadonlyMap<string, Scalar> = new Map();
const NO_KEYWORDS: ReadonlyMap<string, readonly string[]> = new Map();

function byName<Value>(
  fields: readonly { readonly name: string }[],
  values: ReadonlyMap<number, Value>,
  none: ReadonlyMap<string, Value>,
  nameOf = (name: string) => name,
): ReadonlyMap<string, Value> {
  if (values.size === 0) return none;
  return new Map(
    [...values].flatMap(([fieldIndex, value]) => {
      const field = fields[fieldIndex];
      return field ? [[nameOf(field.name), value] as const] : [];
    }),
  );
}
