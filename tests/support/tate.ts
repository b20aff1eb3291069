import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import * as z from 'zod';

const FOLDER = resolve(import.meta.dirname, '..', '..', 'examples', 'tate');

/** The definition file of the Tate collection, as a user loads it. */
export const TATE_DEFINITION = join(FOLDER, 'tate.json');
/** The works of the Tate collection (CC0), 69,202 rows: revisionId, 15 fields, `keywords` separated by `|`. */
export const TATE_ARTWORKS = join(FOLDER, 'tate-artworks.csv.gz');
/** Its artists, 3,532 rows with an `id` that starts at 0. */
export const TATE_ARTISTS = join(FOLDER, 'tate-artists.csv');

interface TateVariant {
  /** types YEARFROM as a number, which 19 rows do not hold */
  readonly typedYears?: boolean;
  /** the file of the works, instead of the one of the collection */
  readonly artworks?: string;
  /** with the table of the artists; by default the works alone */
  readonly withArtists?: boolean;
}

/** What a variant changes of the definition file; the rest passes through. */
const definitionSchema = z.object({
  tables: z.array(z.looseObject({ datasetsFrom: z.looseObject({ csv: z.string() }) })),
  archives: z.array(
    z.looseObject({
      indexFields: z.array(z.looseObject({ name: z.string() })),
      checks: z.array(z.looseObject({ name: z.string() })),
      documentsFrom: z.looseObject({ csv: z.string() }),
    }),
  ),
});

/** Writes a variant of the definition file into a new folder. @returns its path */
export async function writeTateVariant(variant: TateVariant = {}): Promise<string> {
  const { typedYears = false, artworks = TATE_ARTWORKS, withArtists = false } = variant;
  const { archives, tables } = definitionSchema.parse(
    JSON.parse(readFileSync(TATE_DEFINITION, 'utf8')),
  );
  const works = archives.map((archive) => ({
    ...archive,
    indexFields: archive.indexFields.map((field) =>
      typedYears && field.name === 'YEARFROM' ? { ...field, type: 'integer' } : field,
    ),
    // The check reads the year as a text.
    checks: archive.checks.filter(({ name }) => !typedYears || name !== 'YEARFROM'),
    documentsFrom: { ...archive.documentsFrom, csv: artworks },
  }));
  const artists = tables.map((table) => ({
    ...table,
    datasetsFrom: { ...table.datasetsFrom, csv: TATE_ARTISTS },
  }));
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-tate-'));
  const path = join(folder, 'tate.json');
  await writeFile(
    path,
    JSON.stringify({ archives: works, tables: withArtists ? artists : [] }, null, 2),
  );
  return path;
}

export interface TateRow {
  readonly values: Record<string, string>;
  /** as it stands in the file, with its line break */
  readonly raw: string;
}

/** The rows of a CSV file as they stand in it: read here on its own, as it is what the load is measured by. */
export async function* rowsOf(path: string): AsyncGenerator<TateRow> {
  const source = createReadStream(path);
  const text = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  const rows: AsyncIterable<{ record: Record<string, string>; raw: string }> = text.pipe(
    parse({ columns: true, raw: true, record_delimiter: ['\r\n', '\n'] }),
  );
  for await (const { record, raw } of rows) yield { values: record, raw };
}
