import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { administer } from './postgres-server.ts';

const RELEASES = resolve(import.meta.dirname, '../fixtures/releases');

/** Passwords of the users `anna` (manages everything) and `rita` (reads letters), as make.sh gives them. */
export const RELEASE_PASSWORD = 'seven grey herons on a wire';

/** What an earlier Indexdesk stored (tests/fixtures/releases). */
export interface Release {
  /** such as `0.1.0-schema-12` */
  readonly name: string;
  /** the version of its database */
  readonly schema: number;
  /** whether it could make backups */
  readonly hasBackup: boolean;
}

export const STORED_RELEASES: readonly Release[] = readdirSync(RELEASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({
    name,
    schema: Number(/-schema-(\d+)$/.exec(name)?.[1]),
    hasBackup: existsSync(join(RELEASES, name, 'backup.tar.gz')),
  }));

/** Puts what a release stored into a data directory and, where one is given, a PostgreSQL database. */
export async function restoreRelease(
  { name }: Release,
  { dataDir, databaseUrl }: DatabaseConfig,
): Promise<void> {
  await cp(join(RELEASES, name, 'files'), join(dataDir, 'files'), { recursive: true });
  if (databaseUrl === undefined) {
    await writeFile(join(dataDir, SQLITE_FILE), await unzip(name, 'indexdesk.sqlite.gz'));
    return;
  }
  const dump = (await unzip(name, 'postgres.sql.gz')).toString('utf8');
  await administer(databaseUrl, async (client) => {
    await client.query('drop schema public cascade; create schema public');
    await client.query(dump);
  });
}

/** @returns the path of the release's backup in a folder */
export async function unpackBackup({ name }: Release, folder: string): Promise<string> {
  const path = join(folder, `${name}.tar`);
  await writeFile(path, await unzip(name, 'backup.tar.gz'));
  return path;
}

async function unzip(name: string, file: string): Promise<Buffer> {
  return promisify(gunzip)(await readFile(join(RELEASES, name, file)));
}

/** Everything in a data directory but locks, by path: to see that nothing was changed. */
export async function contentsOf(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.lock')) continue;
    const path = join(entry.parentPath, entry.name);
    contents.set(path, (await readFile(path)).toString('base64'));
  }
  return contents;
}
