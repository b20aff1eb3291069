/** @module-tag slow */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { directoryStore } from '#server/modules/files/directory-store.ts';
import { keep, keepsFiles, read, same } from './store-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'indexdesk-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a directory', () => {
  const root = join(folder, 'shared', 'files');
  keepsFiles(() => directoryStore(root));

  it('says where it cannot be written to', async () => {
    const path = join(folder, 'a file');
    await writeFile(path, '');
    await expect(directoryStore(path).check()).rejects.toThrow(
      `Files cannot be stored in the directory ${path}: ENOTDIR`,
    );
  });

  it.runIf(existsSync('/proc/self'))('is refused where none can be made', async () => {
    const path = '/proc/indexdesk/files';
    await expect(directoryStore(path).check()).rejects.toThrow(
      `Files cannot be stored in the directory ${path}: ENOENT`,
    );
  });

  it('replaces a file that is not whole', async () => {
    const store = directoryStore(root);
    const bytes = randomBytes(100);
    const location = await keep(store, bytes);
    await writeFile(join(root, location), '');
    await keep(store, bytes);
    expect(same(await read(store, location), bytes)).toBe(true);
  });
});
