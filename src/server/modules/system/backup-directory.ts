import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeDirectory } from '#server/database/data-directory.ts';
import type { ByteRange } from '#server/http/byte-range.ts';

/* The backups that administrators create in the browser: files in the folder `backups` of the data directory. Copy
   them to another machine, because they are lost together with this one. */

/** The allowed names of backups; no name leads out of the directory. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.tar$/;

export function backupDirectory(dataDir: string): string {
  return join(dataDir, 'backups');
}

export function backupPath(dataDir: string, name: string): string {
  return join(backupDirectory(dataDir), name);
}

/** `indexdesk-2026-11-23-095500.tar`, in UTC. */
export function newBackupName(now: Date): string {
  const [day = '', time = ''] = now.toISOString().split('T');
  return `indexdesk-${day}-${time.slice(0, 8).replaceAll(':', '')}.tar`;
}

export async function createBackupDirectory(dataDir: string): Promise<void> {
  await makeDirectory(backupDirectory(dataDir));
}

export interface BackupFile {
  readonly name: string;
  readonly bytes: number;
  /** when it was written */
  readonly at: Date;
}

/** The backups in the directory, newest first. */
export async function listBackups(dataDir: string): Promise<BackupFile[]> {
  const names = await readdir(backupDirectory(dataDir)).catch(() => []);
  const found = await Promise.all(names.map((name) => findBackup(dataDir, name)));
  return found.filter((file) => file !== undefined).sort((a, b) => b.at.valueOf() - a.at.valueOf());
}

export async function findBackup(dataDir: string, name: string): Promise<BackupFile | undefined> {
  if (!NAME.test(name)) return undefined;
  const found = await stat(backupPath(dataDir, name)).catch(() => undefined);
  return found?.isFile() ? { name, bytes: found.size, at: found.mtime } : undefined;
}

export function openBackupFile(dataDir: string, name: string, range?: ByteRange): Readable {
  const part = range ? { start: range.first, end: range.last } : {};
  return createReadStream(backupPath(dataDir, name), part);
}

/** Deletes a backup that another request may delete at the same time. */
export async function deleteBackup(dataDir: string, name: string): Promise<void> {
  await rm(backupPath(dataDir, name), { force: true });
}
