import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { directoryStore } from './directory-store.ts';
import type { FileStore } from './file-store.ts';
import { s3Store } from './s3-store.ts';

/** The store of the settings; nothing is read or written yet. */
export function openFileStore({ files, dataDir }: Pick<Config, 'files' | 'dataDir'>): FileStore {
  return typeof files === 'object'
    ? s3Store(files, join(dataDir, 'incoming'))
    : directoryStore(files ?? join(dataDir, 'files'));
}
