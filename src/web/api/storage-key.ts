import { answers } from './load-answer-schemas.ts';
import { apiPaths } from './api-paths.ts';
import { readData } from './request.ts';
import { createCipher, fromBase64, importKey } from './user-cipher.ts';

/** By user, the newest first; only in this page's memory, so that they disappear with it. */
const keys = new Map<string, Promise<readonly CryptoKey[]>>();

/**
 * Encrypts what this browser stores for a user, with keys that the service gives only to that user. Browsers offer no
 * encryption to pages over plain http from another machine: there it rejects.
 */
export const userCipher = createCipher(keysOf);

/** Reads the keys before anything is stored: otherwise text typed while the server is unreachable could not be stored. */
export function prefetchStorageKey(username: string): void {
  keysOf(username).catch(() => undefined);
}

/** Nothing is stored for a user whom an administrator sees as: the service refuses the keys, which are not asked for. */
export function withholdStorageKey(username: string): void {
  const withheld = Promise.reject(new Error('The storage key is for the user alone.'));
  withheld.catch(() => undefined);
  keys.set(username, withheld);
}

function keysOf(username: string): Promise<readonly CryptoKey[]> {
  let userKeys = keys.get(username);
  if (!userKeys) {
    userKeys = readKeys(username);
    keys.set(username, userKeys);
    userKeys.catch(() => keys.delete(username));
  }
  return userKeys;
}

async function readKeys(username: string): Promise<readonly CryptoKey[]> {
  const data = await readData(apiPaths.storageKey(username), {
    parse: async (raw) => (await answers()).storageKeysAnswer.parse(raw).storageKeys,
  });
  return Promise.all(data.map(({ key }) => importKey(fromBase64(key))));
}
