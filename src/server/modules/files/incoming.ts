import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes the uploads of requests that a crash interrupted: those not written to since a time. */
export async function sweepIncoming(directory: string, before: number): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}
