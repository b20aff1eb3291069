import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { directoryStore } from '#server/modules/files/directory-store.ts';
import { loadDefinition } from '#server/modules/loading/loading.service.ts';
import { buildUser } from '#tests/support/app.ts';

export const ARCHIVE = 'application/archiveapp/archives/LEDGER';
export const DATASETS = 'application/dataapp/tables/3b1f0a52-6f0e-4c53-9d0b-1a7b2e6c8d10/datasets';
export const REVISIONS = 200;
export const USERNAME = 'keeper';

const DEFINITION = {
  archives: [
    {
      guid: '9a4c2d7e-0b8f-4e1d-8a63-5c7f1e2d3b40',
      table: 'LEDGER',
      name: 'Ledger',
      indexFields: [
        { name: 'TOKEN', type: 'text' },
        { name: 'COUNT', type: 'integer' },
      ],
      documents: Array.from({ length: REVISIONS }, (_, i) => ({
        revisionId: i + 1,
        indexFields: [{ name: 'COUNT', value: 0 }],
      })),
    },
  ],
  tables: [
    {
      guid: '3b1f0a52-6f0e-4c53-9d0b-1a7b2e6c8d10',
      name: 'NOTES',
      columns: [
        { name: 'token', type: 'text' },
        { name: 'note', type: 'text' },
      ],
    },
  ],
};

/** Fills a new database with an archive of 200 revisions, an empty table and an administrator. */
export async function prepareLedger(config: DatabaseConfig): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-ledger-'));
  const database = await openDatabase(config);
  try {
    const path = join(folder, 'ledger.json');
    await writeFile(path, JSON.stringify(DEFINITION));
    const problems: string[] = [];
    const { complete } = await loadDefinition(
      database,
      directoryStore(join(config.dataDir, 'files')),
      path,
      { skipBadRows: null, timeZone: 'UTC' },
      {
        progress: () => undefined,
        info: () => undefined,
        warn: (line) => problems.push(line),
        fail: (line) => problems.push(line),
      },
    );
    if (!complete) throw new Error(problems.join('\n'));
    await buildUser(database, { username: USERNAME, role: 'administrator' });
  } finally {
    await database.close();
    await rm(folder, { recursive: true });
  }
}
