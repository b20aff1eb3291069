import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { directoryStore } from '#server/modules/files/directory-store.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import type { Collection } from '#server/database/records/collection.ts';
import {
  loadDefinition,
  type LoadOptions,
  type LoadResult,
} from '#server/modules/loading/loading.service.ts';
import { LoadError } from '#server/modules/definition-files/load-error.ts';

/** A new folder that is removed after the suite. */
export function buildFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'indexdesk-load-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a load said, by kind, and what came of it; `result` undefined: the file itself was refused. */
export interface Loaded {
  readonly result: LoadResult | undefined;
  readonly said: string[];
  readonly warned: string[];
  readonly failed: string[];
}

/** Loads a definition file that is there. */
export async function loadFile(
  database: Database,
  dataDir: string,
  path: string,
  skipBadRows: LoadOptions['skipBadRows'] = null,
): Promise<Loaded> {
  const loaded = {
    said: new Array<string>(),
    warned: new Array<string>(),
    failed: new Array<string>(),
  };
  const report = {
    progress: () => undefined,
    info: (line: string) => void loaded.said.push(line),
    warn: (line: string) => void loaded.warned.push(line),
    fail: (line: string) => void loaded.failed.push(line),
  };
  try {
    const result = await loadDefinition(
      database,
      directoryStore(join(dataDir, 'files')),
      path,
      { skipBadRows, timeZone: 'UTC' },
      report,
    );
    return { result, ...loaded };
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return { result: undefined, ...loaded, failed: [...error.lines] };
  }
}

/** Writes files into a folder: an object as JSON, anything else as it is. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array | object>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    const raw = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(path, raw ? content : JSON.stringify(content));
  }
}

/** An archive or table by its name. */
export async function findCollection(database: Database, name: string): Promise<Collection> {
  const { archives, tables } = await database.read(readDefinitions);
  const found = [...archives, ...tables].find((collection) => collection.name === name);
  if (!found) throw new Error(`${name} is not defined`);
  return found;
}

/** Records by id; those that are not there are missing. */
export async function recordsOf(
  database: Database,
  name: string,
  ids: readonly number[],
): Promise<Map<number, StoredRecord>> {
  const collection = await findCollection(database, name);
  return database.read((db) => readRecords(db, collection, ids));
}
