import { answers } from './load-answer-schemas.ts';
import { apiPaths } from './api-paths.ts';
import { read } from './request.ts';
import { createCipher, importKey } from './user-cipher.ts';

/** By user; only in this page's memory, so that they disappear with it. */
const keys = new Map<string, Promise<CryptoKey>>();

/**
 * Encrypts what this browser stores for a user, with a key that the service gives only to that user. Browsers offer no
 * encryption to pages over plain http from another machine: there it rejects.
 */
export const userCipher = createCipher(keyOf);

/** Reads the key before anything is stored: otherwise text typed while the server is unreachable could not be stored. */
export function prefetchStorageKey(username: string): void {
  keyOf(username).catch(() => undefined);
}

function keyOf(username: string): Promise<CryptoKey> {
  let key = keys.get(username);
  if (!key) {
    key = readKey(username);
    keys.set(username, key);
    key.catch(() => keys.delete(username));
  }
  return key;
}

async function readKey(username: string): Promise<CryptoKey> {
  const { data } = await read(apiPaths.storageKey(username), {
    parse: async (raw) => (await answers()).storageKeysAnswer.parse(raw).storageKeys[0],
  });
  if (!data) throw new Error('The answer holds no key.');
  return importKey(Uint8Array.from(atob(data.key), (sign) => sign.charCodeAt(0)));
}
