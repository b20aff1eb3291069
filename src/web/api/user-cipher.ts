/** An encrypted value in the browser's storage, which only its user can read. */
export interface Encrypted<T> {
  /** the initialization vector of AES-GCM, different for each value */
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
  /** true only for values that earlier versions have stored */
  readonly compressed: boolean;
  /** never set: records the type of the encrypted value */
  readonly type?: T;
}

/** Encrypts plain data (also Maps and Sets) for one user. All promises reject without a key. */
export interface UserCipher {
  readonly encrypt: <T>(username: string, value: T) => Promise<Encrypted<T>>;
  /** Rejects if the value was encrypted with a key that is not one of the user's. */
  readonly decrypt: <T>(username: string, encrypted: Encrypted<T>) => Promise<T>;
}

const IV_BYTES = 12;

/**
 * @param keysOf the keys of a user, 256 bits for AES-GCM; the first one encrypts, all decrypt; called each time
 */
export function createCipher(
  keysOf: (username: string) => Promise<readonly CryptoKey[]>,
): UserCipher {
  return {
    async encrypt(username, value) {
      const [key] = await keysOf(username);
      if (!key) throw new Error('The user has no key.');
      const text = new TextEncoder().encode(toJson(value));
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text);
      return { iv, data, compressed: false };
    },
    async decrypt<T>(username: string, { iv, data, compressed }: Encrypted<T>) {
      const keys = await keysOf(username);
      // With a key that was replaced meanwhile it was encrypted by only one of them.
      const plain = await Promise.any(
        keys.map((key) => crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data)),
      );
      const bytes = compressed ? await decompressed(plain) : plain;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- AES-GCM proves that `encrypt` wrote it
      return fromJson(new TextDecoder().decode(bytes)) as T;
    },
  };
}

/** The bytes of a text in Base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

/** Imports an AES-GCM key that scripts can use but not read. */
export function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

function decompressed(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

// No name of a field or column begins with this character.
const MAP = '$map';
const SET = '$set';

function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (item instanceof Map) return { [MAP]: [...item] };
    return item instanceof Set ? { [SET]: [...item] } : item;
  });
}

function fromJson(text: string): unknown {
  return JSON.parse(text, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null) return item;
    const entries: unknown = Reflect.get(item, MAP);
    if (Array.isArray(entries)) return new Map(entries);
    const members: unknown = Reflect.get(item, SET);
    return Array.isArray(members) ? new Set(members) : item;
  });
}
