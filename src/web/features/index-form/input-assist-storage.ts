import { readStoredJson, storeText } from '#web/api/browser-storage.ts';
import { userCipher } from '#web/api/storage-key.ts';
import { type Encrypted, fromBase64, type UserCipher } from '#web/api/user-cipher.ts';
import type { CarriedOverValues } from './carried-over-values.ts';
import { type FieldValues } from './form-values.ts';

/** A revision that the user worked on, with the final content of its editors. */
export interface PreviousRevision {
  readonly revisionId: string;
  readonly values: FieldValues;
}

/**
 * The state that survives a reload of the page: the values carried over, and the source of copies from the previous revision.
 */
export interface StoredInputAssist {
  /** the queue of the carried over values; null: the list */
  readonly queue: string | null;
  readonly carriedOver: CarriedOverValues;
  /** newest first */
  readonly corrected: readonly PreviousRevision[];
  readonly viewed: readonly PreviousRevision[];
}

/** Maximum number of excluded revisions per field; in older ones the value is inserted again. */
const MAX_EXCLUDED = 2_000;

export const NOTHING_STORED: StoredInputAssist = {
  queue: null,
  carriedOver: new Map(),
  corrected: [],
  viewed: [],
};

/** The storage of one tab until it is closed, encrypted for the user. */
export function inputAssistStorage(cipher: UserCipher = userCipher) {
  /** One write after the other, so that an older state is never written last. */
  let last: Promise<void> = Promise.resolve();
  return {
    async read(username: string, archive: string): Promise<StoredInputAssist> {
      try {
        const stored = parseEncrypted(readStoredJson(keyOf(username, archive), 'session'));
        return stored ? await cipher.decrypt(username, stored) : NOTHING_STORED;
      } catch {
        // If it cannot be read, the user has to type the values again.
        return NOTHING_STORED;
      }
    },

    /** Without storage in the browser it lasts as long as the page. */
    write(username: string, archive: string, state: StoredInputAssist): Promise<void> {
      const carriedOver = new Map(
        [...state.carriedOver].map(([path, value]) => {
          const excludedRevisions = new Set([...value.excludedRevisions].slice(-MAX_EXCLUDED));
          return [path, { ...value, excludedRevisions }];
        }),
      );
      const store = async () => {
        const { iv, data } = await cipher.encrypt(username, { ...state, carriedOver });
        const text = JSON.stringify([toBase64(iv), toBase64(new Uint8Array(data))]);
        storeText(keyOf(username, archive), text, 'session');
      };
      last = last.then(store).catch(() => undefined);
      return last;
    },
  };
}

function parseEncrypted(parts: unknown): Encrypted<StoredInputAssist> | null {
  if (!Array.isArray(parts)) return null;
  const [iv, data] = parts.map((part) => fromBase64(String(part)));
  return iv && data ? { iv, data: data.buffer, compressed: false } : null;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}

/** A state of another shape needs another name, so that a tab ignores what an earlier release has stored. */
function keyOf(username: string, archive: string): string {
  return `indexdesk-input-assist ${JSON.stringify([username, archive])}`;
}
