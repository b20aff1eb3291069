import { readStoredJson, storeText } from '#web/api/browser-storage.ts';
import { userCipher } from '#web/api/storage-key.ts';
import type { Encrypted, UserCipher } from '#web/api/user-cipher.ts';
import { type FieldValue } from '#web/fields/field-model.ts';
import type { CarriedOverValue, CarriedOverValues } from './carried-over-values.ts';
import { type FieldValues } from './form-values.ts';

/** A revision that the user worked on, with the final content of its editors. */
export interface PreviousRevision {
  readonly revisionId: string;
  readonly values: FieldValues;
}

/**
 * The state that survives a reload of the page: the values carried over, and the source of copies from the previous revision.
 */
interface StoredInputAssist {
  /** the queue of the carried over values; null: the list */
  readonly queue: string | null;
  readonly carriedOver: CarriedOverValues;
  /** newest first */
  readonly corrected: readonly PreviousRevision[];
  readonly viewed: readonly PreviousRevision[];
}

/** Maximum number of excluded revisions per field; in older ones the value is inserted again. */
const MAX_EXCLUDED = 2_000;

/** The storage of one tab until it is closed, encrypted for the user. */
export function inputAssistStorage(cipher: UserCipher = userCipher) {
  /** One write after the other, so that an older state is never written last. */
  let last: Promise<void> = Promise.resolve();
  return {
    async read(username: string, archive: string): Promise<StoredInputAssist> {
      try {
        const stored = parseEncrypted(readStoredJson(keyOf(username, archive), 'session'));
        return parseStored(stored && (await cipher.decrypt(username, stored)));
      } catch {
        // If it cannot be read, the user has to type the values again.
        return parseStored(null);
      }
    },

    /** Without storage in the browser it lasts as long as the page. */
    write(username: string, archive: string, state: StoredInputAssist): Promise<void> {
      const carriedOver = [...state.carriedOver].map(
        ([path, { value, from, excludedRevisions }]) => ({
          place: path,
          value,
          from,
          excludedRevisions: [...excludedRevisions].slice(-MAX_EXCLUDED),
        }),
      );
      const { queue } = state;
      const toStored = ({ revisionId, values }: PreviousRevision) => ({
        revisionId,
        values: [...values],
      });
      const corrected = state.corrected.map(toStored);
      const viewed = state.viewed.map(toStored);
      const store = async () => {
        const content = { queue, carriedOver, corrected, viewed };
        const { iv, data } = await cipher.encrypt<unknown>(username, content);
        const text = JSON.stringify([toBase64(iv), toBase64(new Uint8Array(data))]);
        storeText(keyOf(username, archive), text, 'session');
      };
      last = last.then(store).catch(() => undefined);
      return last;
    },
  };
}

function parseEncrypted(parts: unknown): Encrypted<unknown> | null {
  if (!Array.isArray(parts)) return null;
  const [iv, data] = parts.map((part) => fromBase64(String(part)));
  return iv && data ? { iv, data: data.buffer, compressed: false } : null;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

function keyOf(username: string, archive: string): string {
  return `indexdesk-inputAssist ${JSON.stringify([username, archive])}`;
}

/** The browser's storage is untrusted: invalid parts are ignored. */
function parseStored(raw: unknown): StoredInputAssist {
  const queue = at(raw, 'queue');
  return {
    queue: typeof queue === 'string' ? queue : null,
    carriedOver: new Map(listAt(raw, 'carriedOver').flatMap(parseCarriedOver)),
    corrected: listAt(raw, 'corrected').flatMap(parsePrevious),
    viewed: listAt(raw, 'viewed').flatMap(parsePrevious),
  };
}

function parseCarriedOver(raw: unknown): [string, CarriedOverValue][] {
  // `place` is the name in what browsers have already stored.
  const [path, value, from] = [at(raw, 'place'), at(raw, 'value'), at(raw, 'from')];
  if (typeof path !== 'string' || typeof from !== 'string' || !isFieldValue(value)) return [];
  const excludedRevisions = new Set(
    listAt(raw, 'excludedRevisions').filter((id) => typeof id === 'string'),
  );
  return [[path, { value, from, excludedRevisions }]];
}

function parsePrevious(raw: unknown): PreviousRevision[] {
  const revisionId = at(raw, 'revisionId');
  if (typeof revisionId !== 'string') return [];
  const values = listAt(raw, 'values').flatMap((entry): [string, FieldValue][] => {
    const [path, value]: unknown[] = Array.isArray(entry) ? entry : [];
    return typeof path === 'string' && isFieldValue(value) ? [[path, value]] : [];
  });
  return [{ revisionId, values: new Map(values) }];
}

function isFieldValue(raw: unknown): raw is FieldValue {
  if (raw === null || typeof raw === 'string') return true;
  return Array.isArray(raw) && raw.every((each) => typeof each === 'string');
}

function at(raw: unknown, key: string): unknown {
  return typeof raw === 'object' && raw !== null ? Reflect.get(raw, key) : undefined;
}

function listAt(raw: unknown, key: string): unknown[] {
  const list = at(raw, key);
  return Array.isArray(list) ? list : [];
}
