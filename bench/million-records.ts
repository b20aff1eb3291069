import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runCommand } from '#tests/e2e/support/command.ts';
import { RECORD_COLUMNS, recordLines } from './data/records.ts';

export const TABLE = '6d1c0d6e-7f51-4a55-8a7e-1f6f4c1b9a20';
export const RECORDS = 1_000_000;

/**
 * A data directory with a table of 1,000,000 records of 20 columns. Made once, which takes minutes, and kept in the
 * system's temporary directory for the next run.
 */
export async function millionRecords(): Promise<string> {
  const folder = join(tmpdir(), 'indexdesk-bench-million-1');
  const dataDir = join(folder, 'data');
  const done = join(folder, 'done');
  if (await stat(done).catch(() => null)) return dataDir;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await pipeline(recordLines(RECORDS), createWriteStream(join(folder, 'records.csv')));
  const definition = {
    tables: [
      {
        guid: TABLE,
        name: 'RECORDS',
        label: 'Records',
        columns: RECORD_COLUMNS,
        datasetsFrom: { csv: 'records.csv', jrid: 'jrid' },
      },
    ],
  };
  await writeFile(join(folder, 'definition.json'), JSON.stringify(definition));
  await runCommand(['load', join(folder, 'definition.json'), '--data', dataDir]);
  await rm(join(folder, 'records.csv'));
  await writeFile(done, '');
  return dataDir;
}
