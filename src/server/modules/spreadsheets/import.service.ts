import type { Database } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { WantedRow } from '../bulk-edits/bulk-edits.service.ts';
import { type ImportRow, importRows, readLayout, type RowReading } from './import-rows.ts';
import type { ImportedFile } from './inspect.service.ts';

/** Rows whose revisions are read together. */
const ROWS_A_STEP = 100;
/** Bad lines that an error lists. */
const MOST_NAMED = 20;

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
): Promise<WantedRow[]> {
  const wanted = new Map<number, WantedRow>();
  const repeated = new Set<number>();
  const faults: string[] = [];
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
          const problem = `The revision is in the file twice, again in row ${line}.`;
          wanted.set(id, { ...before, problems: [...(before.problems ?? []), problem] });
        }
        repeated.add(id);
        continue;
      }
      const record = found.get(id);
      // The planning of the rows reports missing revisions.
      const reading = record ? read(record.values) : NOTHING;
      wanted.set(id, {
        revisionId: id,
        line,
        ifMatch,
        values: byName(archive, reading.values),
        problems: reading.problems,
      });
    }
  };

  const layout = await readLayout(archive, file, columns);
  if (layout.id === null) {
    throw new ApiError('validation_failed', {
      'files.0': ['No column of the file holds the ids of the revisions.'],
    });
  }
  for await (const row of importRows(archive, file, layout)) {
    const { id, line } = row;
    if (id === null || id === 0) {
      if (faults.length < MOST_NAMED) faults.push(`Row ${line} has no revision id.`);
      continue;
    }
    step.push({ ...row, id });
    if (step.length >= ROWS_A_STEP) await take();
  }
  if (faults.length > 0) throw new ApiError('validation_failed', { 'files.0': faults });
  await take();
  return [...wanted.values()];
}

const NOTHING: RowReading = { values: new Map(), problems: [] };
/** Shared by all rows without changes, which are most. */
const NO_VALUES: ReadonlyMap<string, Scalar> = new Map();

function byName(
  archive: Archive,
  values: ReadonlyMap<number, Scalar>,
): ReadonlyMap<string, Scalar> {
  if (values.size === 0) return NO_VALUES;
  return new Map(
    [...values].flatMap(([place, value]) => {
      const field = archive.fields[place];
      return field ? [[field.name, value] as const] : [];
    }),
  );
}
