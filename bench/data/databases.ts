import { createWriteStream } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openDatabase } from '#server/database/open-database.ts';
import { runCommand } from '#tests/e2e/support/command.ts';
import { RECORD_COLUMNS, recordLines } from './records.ts';
import { KEYWORD, REVISION_FIELDS, revisionLines } from './revisions.ts';

export const ARCHIVE = 'PAPERS';
export const TABLE = '0f4f8a51-6a0e-4d0c-9a58-3b9f6d6a7e11';

/** To be raised when what is loaded changes, so that nothing made before is taken for it. */
const CONTENT = 1;

/**
 * A data directory with an archive and a table of so many revisions and records each, loaded from CSV as anybody
 * loads them, so that their history and indexes are the product's own. Made once, which takes minutes for a million,
 * and kept in the system's temporary directory. Not to be served: `copyOfData` is.
 */
async function madeData(rows: number): Promise<string> {
  const folder = join(tmpdir(), `indexdesk-bench-${rows}-${CONTENT}`);
  const dataDir = join(folder, 'data');
  if (!(await stat(folder).catch(() => null))) await make(folder, rows);
  // Brings it to the newest schema, where it was made by an older version.
  await (await openDatabase({ dataDir })).close();
  return dataDir;
}

async function make(folder: string, rows: number): Promise<void> {
  console.error(`Making ${rows} revisions and ${rows} records …`);
  const unfinished = await mkdtemp(`${folder}-`);
  const made = join(unfinished, 'made');
  await mkdir(made);
  await pipeline(revisionLines(rows), createWriteStream(join(unfinished, 'revisions.csv')));
  await pipeline(recordLines(rows), createWriteStream(join(unfinished, 'records.csv')));
  await writeFile(join(unfinished, 'definition.json'), JSON.stringify(definition));
  await runCommand(['load', join(unfinished, 'definition.json'), '--data', join(made, 'data')]);
  // Another process may have made it meanwhile.
  await rename(made, folder).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
  });
  await rm(unfinished, { recursive: true });
}

const definition = {
  archives: [
    {
      guid: '5a0b1c5e-92b4-4c3a-8d0a-7f30b6a5f0c2',
      table: ARCHIVE,
      name: 'Papers',
      indexFields: REVISION_FIELDS,
      keywordFields: [{ name: KEYWORD }],
      documentsFrom: {
        csv: 'revisions.csv',
        revisionId: 'id',
        keywords: { [KEYWORD]: { column: 'topics', separator: '|' } },
      },
    },
  ],
  tables: [
    {
      guid: TABLE,
      name: 'RECORDS',
      columns: RECORD_COLUMNS,
      datasetsFrom: { csv: 'records.csv', jrid: 'jrid' },
    },
  ],
};

/** A copy of such a data directory, to be changed at will; `remove` is to be called when nothing uses it any more. */
export async function copyOfData(
  rows: number,
): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const made = await madeData(rows);
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-copy-'));
  const dataDir = join(folder, 'data');
  await cp(made, dataDir, { recursive: true });
  return { dataDir, remove: () => rm(folder, { recursive: true, force: true }) };
}
