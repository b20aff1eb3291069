import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { readTableShapes } from '#server/database/copying/schema-introspection.ts';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { sequenceAllEntries } from '#server/modules/history/history.service.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { verifyInstallation } from '#server/modules/verification/verification.service.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/verify-audit-export.js');

/** What `verify` finds. */
export async function findings(database: Database, config: DatabaseConfig): Promise<string[]> {
  await sequenceAllEntries(database);
  const found: string[] = [];
  await verifyInstallation(
    database,
    config,
    openFileStore({ ...config, files: undefined }),
    { contents: true, deep: false, since: null },
    { progress: () => undefined, info: () => undefined, fail: (line) => found.push(line) },
  );
  return found;
}

/** The tables of a database that hold a text anywhere. */
export function tablesWith(database: Database, text: string): Promise<string[]> {
  return database.read(async (db) => {
    const found: string[] = [];
    for (const name of (await readTableShapes(db)).keys()) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db.k);
      if (JSON.stringify(rows).includes(text)) found.push(name);
    }
    return found;
  });
}

/** Checks an export of the audit with the script. @returns its exit code, and what it says */
export async function checkExport(
  { dataDir }: DatabaseConfig,
  exported: string,
): Promise<{ readonly code: unknown; readonly text: string }> {
  const file = join(dataDir, 'audit.jsonl');
  await writeFile(file, exported.trimEnd());
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, file], (error, out, err) =>
      resolve({ code: error?.code ?? 0, text: out + err }),
    );
  });
}
