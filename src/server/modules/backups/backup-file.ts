import { OperatorError } from '#server/lib/operator-error.ts';
import { hashWhileReading } from '#server/lib/file-bytes.ts';
import * as texts from '#messages/service/storage.ts';
import { open, type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as z from 'zod';
import {
  DATABASE,
  MANIFEST,
  manifestFileSchema,
  manifestHeadSchema,
  manifestMissingSchema,
  type ManifestFile,
  type ManifestHead,
} from './manifest.ts';
import { bytesOf, readTar, TarError, type TarEntry } from './tar.ts';
import { messageOf } from '#server/lib/caught-errors.ts';

/** The content of a complete backup. */
export interface BackupTally {
  readonly head: ManifestHead;
  /** documents' files */
  readonly files: number;
  /** of the database and the files */
  readonly bytes: number;
  /** documents' files that were missing when the backup was created */
  readonly missing: readonly string[];
}

/** Receives a file of a backup, whose bytes it must read completely. */
export type BackupEntryHandler = (name: string, bytes: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Reads a complete backup and compares each file's size and SHA-256 with the manifest.
 * @throws {OperatorError} if anything differs
 */
export function checkBackup(path: string, progress: (text: string) => void): Promise<BackupTally> {
  return readBackup(path, async (name, bytes) => {
    progress(texts.checkingEntry(name));
    // Reading them completely is the check.
    for await (const _ of bytes);
  });
}

/**
 * Passes on the files of a backup one after the other, the database first, and compares them with the manifest.
 * @throws {OperatorError} as `checkBackup`; files passed on before are then invalid
 */
export async function readBackup(path: string, onEntry: BackupEntryHandler): Promise<BackupTally> {
  const file = await openBackup(path);
  try {
    return await compare(file, onEntry);
  } catch (error) {
    if (
      !(error instanceof TarError || error instanceof z.ZodError || error instanceof SyntaxError)
    ) {
      throw error;
    }
    const why = error instanceof TarError ? error.message : texts.manifestDamaged;
    throw new OperatorError(texts.backupDamaged({ path, why }), { cause: error });
  } finally {
    await file.close();
  }
}

async function openBackup(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw new OperatorError(texts.backupUnreadable({ path, why: messageOf(error) }), {
      cause: error,
    });
  }
}

async function compare(file: FileHandle, onEntry: BackupEntryHandler): Promise<BackupTally> {
  const lines = linesOf(file, await findManifest(file));
  const entries = readTar(file);
  const head = manifestHeadSchema.parse(await nextLine(lines));
  const missing: string[] = [];
  let [files, bytes] = [0, 0];
  for (let line = await nextLine(lines); line !== undefined; line = await nextLine(lines)) {
    const left = manifestMissingSchema.safeParse(line);
    if (left.success) {
      missing.push(left.data.missing);
      continue;
    }
    const wanted = manifestFileSchema.parse(line);
    const { value: entry } = await entries.next();
    await compareFile(file, files === 0 ? DATABASE_NAME : FILE_NAME, entry, wanted, onEntry);
    files += 1;
    bytes += wanted.size;
  }
  const { value: last } = await entries.next();
  if (last?.name !== MANIFEST || files === 0) throw new TarError(texts.moreThanManifest);
  return { head, files: files - 1, bytes, missing };
}

/** @param pattern of the name that the entry may have */
async function compareFile(
  file: FileHandle,
  pattern: RegExp,
  entry: TarEntry | undefined,
  wanted: ManifestFile,
  onEntry: BackupEntryHandler,
): Promise<void> {
  if (entry?.name !== wanted.name || entry.size !== wanted.size) {
    throw new TarError(texts.entryMissing(wanted.name));
  }
  if (!pattern.test(wanted.name)) throw new TarError(texts.unexpectedEntry(wanted.name));
  const { bytes, digest } = hashWhileReading(bytesOf(file, entry));
  await onEntry(wanted.name, bytes);
  const { sha256 } = digest();
  const named = wanted.name === DATABASE || wanted.name.endsWith(sha256);
  if (sha256 !== wanted.sha256 || !named) throw new TarError(texts.entryDamaged(wanted.name));
}

/* The names do not lead out of the restore directory. */
const DATABASE_NAME = /^database\.sqlite$/;
const FILE_NAME = /^files\/[0-9a-f]{2}\/[0-9a-f]{64}$/;

/** @throws {TarError} if the tar file is not whole */
async function findManifest(file: FileHandle): Promise<TarEntry> {
  let last: TarEntry | undefined;
  for await (const entry of readTar(file)) last = entry;
  if (last?.name !== MANIFEST) throw new TarError(texts.noManifest);
  return last;
}

function linesOf(file: FileHandle, manifest: TarEntry): AsyncIterator<string> {
  const input = Readable.from(bytesOf(file, manifest), { objectMode: false });
  return createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
}

async function nextLine(lines: AsyncIterator<string>): Promise<unknown> {
  const { value, done } = await lines.next();
  return done === true ? undefined : JSON.parse(value);
}
