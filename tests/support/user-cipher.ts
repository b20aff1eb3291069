import { storageKeysAnswer } from '#shared/contract/answers.ts';
import { createCipher, importKey, type UserCipher } from '#web/api/user-cipher.ts';
import type { TestClient } from './app.ts';

/** Encrypts with keys of its own, where no service gives any. */
export function localCipher(): UserCipher {
  const key = importKey(crypto.getRandomValues(new Uint8Array(32)));
  return createCipher(async () => [await key]);
}

/** Encrypts as the web admin does for the user of a session. */
export function cipherOf(client: TestClient): UserCipher {
  return createCipher(async (username) => {
    const { body } = await client.get(`application/users/${username}/storagekey`);
    return Promise.all(
      storageKeysAnswer
        .parse(body)
        .storageKeys.map(({ key }) => importKey(Uint8Array.from(Buffer.from(key, 'base64')))),
    );
  });
}
