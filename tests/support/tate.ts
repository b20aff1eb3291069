import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where the real data for tests lies: INDEXDESK_TEST_DATA, else a folder beside the project. */
const FOLDER = resolve(
  process.env['INDEXDESK_TEST_DATA'] ??
    join(import.meta.dirname, '..', '..', '..', 'shared', 'data'),
);

/** The works of the Tate collection (CC0), 69,202 rows: revisionId, 15 fields, `keywords` separated by `|`. */
export const TATE_ARTWORKS = join(FOLDER, 'tate-artworks.csv.gz');
/** Its artists, 3,532 rows with an `id` that starts at 0. */
export const TATE_ARTISTS = join(FOLDER, 'tate-artists.csv');

/** Whether the real data is there; in continuous integration it has to be. */
export const TATE_IS_THERE = existsSync(TATE_ARTWORKS) && existsSync(TATE_ARTISTS);
if (!TATE_IS_THERE && process.env['CI'] !== undefined) {
  throw new Error(`The test data is missing: ${TATE_ARTWORKS}. Set INDEXDESK_TEST_DATA.`);
}

const TATE_GUID = 'b5f0a3d2-6c1e-4f0a-9d53-2f2a6f1c7e01';
const ARTISTS_GUID = '0f7c8f3e-52a5-4d0c-8a43-91f6de7a2c02';

/** Types that take every row as it is: 19 rows have words where a year is expected. */
const INDEX_FIELDS = [
  { name: 'ACCESSIONNO', label: 'Accession no.', type: 'text', required: true, maxLength: 20 },
  { name: 'TITLE', label: 'Title', type: 'text' },
  { name: 'ARTIST', label: 'Artist', type: 'text' },
  { name: 'DATETEXT', label: 'Date', type: 'text' },
  { name: 'YEARFROM', label: 'From', type: 'text' },
  { name: 'YEARTO', label: 'To', type: 'integer' },
  { name: 'MEDIUM', label: 'Medium', type: 'text' },
  { name: 'DIMENSIONS', label: 'Dimensions', type: 'text' },
  { name: 'WIDTH', label: 'Width (mm)', type: 'decimal', scale: 1 },
  { name: 'HEIGHT', label: 'Height (mm)', type: 'decimal', scale: 1 },
  { name: 'CLASSIFICATION', label: 'Classification', type: 'text', maxLength: 40 },
  { name: 'CREDITLINE', label: 'Credit line', type: 'text' },
  { name: 'ACQUISITIONYEAR', label: 'Acquired', type: 'integer' },
  { name: 'INSCRIBED', label: 'Inscribed', type: 'boolean' },
  { name: 'URL', label: 'Address', type: 'text' },
];

const ARTISTS = {
  guid: ARTISTS_GUID,
  name: 'ARTISTS',
  label: 'Artists',
  columns: [
    { name: 'name', label: 'Name', type: 'text', required: true },
    { name: 'gender', label: 'Gender', type: 'text' },
    { name: 'dates', label: 'Dates', type: 'text' },
    { name: 'yearOfBirth', label: 'Born', type: 'integer' },
    { name: 'yearOfDeath', label: 'Died', type: 'integer' },
    { name: 'placeOfBirth', label: 'Place of birth', type: 'text' },
    { name: 'placeOfDeath', label: 'Place of death', type: 'text' },
    { name: 'url', label: 'Address', type: 'text' },
  ],
  datasetsFrom: { csv: TATE_ARTISTS, jrid: 'id' },
};

interface TateVariant {
  /** types YEARFROM as a number, which 19 rows do not hold */
  readonly typedYears?: boolean;
  /** leaves out the artists */
  readonly artworksOnly?: boolean;
  /** the file of the works */
  readonly artworks?: string;
}

/** The definition of the Tate archive and of its artists' table, as JSON for a definition file. */
export function tateDefinition(variant: TateVariant = {}) {
  const { typedYears = false, artworksOnly = false, artworks = TATE_ARTWORKS } = variant;
  return {
    archives: [
      {
        guid: TATE_GUID,
        table: 'TATE',
        name: 'Tate collection',
        description: 'Works of the Tate collection, as of 2014 (CC0).',
        indexFields: INDEX_FIELDS.map((field) =>
          typedYears && field.name === 'YEARFROM' ? { ...field, type: 'integer' } : field,
        ),
        keywordFields: [{ name: 'SUBJECT', label: 'Subject' }],
        documentsFrom: {
          csv: artworks,
          revisionId: 'revisionId',
          keywords: { SUBJECT: { column: 'keywords', separator: '|' } },
        },
      },
    ],
    tables: artworksOnly ? [] : [ARTISTS],
  };
}

/** Writes a definition file of the Tate data into a new folder. @returns its path */
export async function writeTateDefinition(variant: TateVariant = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-tate-'));
  const path = join(folder, 'tate.json');
  await writeFile(path, JSON.stringify(tateDefinition(variant), null, 2));
  return path;
}
