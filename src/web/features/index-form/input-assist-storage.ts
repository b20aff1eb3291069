import { userCipher } from '#web/api/storage-key.ts';
import type { Encrypted, UserCipher } from '#web/api/user-cipher.ts';
import { type FieldValue } from '#web/fields/field-model.ts';
import type { StickyValue, StickyValues } from './sticky-values.ts';
import { type FieldValues } from './form-values.ts';

/** A revision that was worked on, with what stood in its editors at the end. */
export interface Previous {
  readonly revisionId: string;
  readonly values: FieldValues;
}

/** What outlives a reload of the page: the carried fields, and what ditto copies from. */
export interface StoredInputAssist {
  /** where the fields are carried on; null: in the list */
  readonly queue: string | null;
  readonly pins: StickyValues;
  /** the newest first */
  readonly corrected: readonly Previous[];
  readonly lookedAt: readonly Previous[];
}

/** Whoever has been through more since pinning a field does not go back so far. */
const MAX_SETTLED = 2_000;

/** What tabs have of it: their own, until they are closed, encrypted for the user. */
export function inputAssistStorage(cipher: UserCipher = userCipher) {
  /** One write after the other, so that an older state never comes last. */
  let last: Promise<void> = Promise.resolve();
  return {
    async read(username: string, archive: string): Promise<StoredInputAssist> {
      try {
        const stored = asEncrypted(sessionStorage.getItem(keyOf(username, archive)));
        return asKept(stored && (await cipher.decrypt(username, stored)));
      } catch {
        // What cannot be read is no more than typed again.
        return asKept(null);
      }
    },

    /** Where the browser stores nothing it lasts until the page is left. */
    write(username: string, archive: string, kept: StoredInputAssist): Promise<void> {
      const pins = [...kept.pins].map(([place, { value, from, settled }]) => ({
        place,
        value,
        from,
        settled: [...settled].slice(-MAX_SETTLED),
      }));
      const { queue } = kept;
      const worked = ({ revisionId, values }: Previous) => ({ revisionId, values: [...values] });
      const corrected = kept.corrected.map(worked);
      const lookedAt = kept.lookedAt.map(worked);
      const store = async () => {
        const content = { queue, pins, corrected, lookedAt };
        const { iv, data } = await cipher.encrypt<unknown>(username, content);
        const text = JSON.stringify([toBase64(iv), toBase64(new Uint8Array(data))]);
        sessionStorage.setItem(keyOf(username, archive), text);
      };
      // Full, or not allowed: it lasts as long as the page.
      last = last.then(store).catch(() => undefined);
      return last;
    },
  };
}

function asEncrypted(text: string | null): Encrypted<unknown> | null {
  const parts: unknown = JSON.parse(text ?? 'null');
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

/** Anybody may write into the browser's storage: what is not as it should be is left out. */
function asKept(raw: unknown): StoredInputAssist {
  const queue = at(raw, 'queue');
  return {
    queue: typeof queue === 'string' ? queue : null,
    pins: new Map(listAt(raw, 'pins').flatMap(asPin)),
    corrected: listAt(raw, 'corrected').flatMap(asPrevious),
    lookedAt: listAt(raw, 'lookedAt').flatMap(asPrevious),
  };
}

function asPin(raw: unknown): [string, StickyValue][] {
  const [place, value, from] = [at(raw, 'place'), at(raw, 'value'), at(raw, 'from')];
  if (typeof place !== 'string' || typeof from !== 'string' || !isFieldValue(value)) return [];
  const settled = new Set(listAt(raw, 'settled').filter((id) => typeof id === 'string'));
  return [[place, { value, from, settled }]];
}

function asPrevious(raw: unknown): Previous[] {
  const revisionId = at(raw, 'revisionId');
  if (typeof revisionId !== 'string') return [];
  const values = listAt(raw, 'values').flatMap((entry): [string, FieldValue][] => {
    const [place, held]: unknown[] = Array.isArray(entry) ? entry : [];
    return typeof place === 'string' && isFieldValue(held) ? [[place, held]] : [];
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
