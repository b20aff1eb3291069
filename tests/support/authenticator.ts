import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

interface Options {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  /** whether it checks a PIN or a fingerprint */
  readonly verifiesUser?: boolean;
}

/** An authenticator with one passkey (WebAuthn), as a browser's `toJSON()` answers it. */
export class Authenticator {
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  readonly #id = randomBytes(16);
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // COSE: an ES256 key of P-256 with its coordinates.
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  get id(): string {
    return this.#id.toString('base64url');
  }

  /** What `navigator.credentials.create` answers. */
  create(options: Options) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const data = Buffer.concat([
      this.#dataOf(options, HAS_KEY),
      Buffer.alloc(16),
      length,
      this.#id,
      this.#publicKey,
    ]);
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ]);
    return {
      ...this.#answer(),
      response: {
        clientDataJSON: clientData('webauthn.create', options).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** What `navigator.credentials.get` answers. */
  get(options: Options) {
    this.counter += 1;
    const data = this.#dataOf(options, 0);
    const client = clientData('webauthn.get', options);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return {
      ...this.#answer(),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.#key).toString('base64url'),
        userHandle: null,
      },
    };
  }

  #answer() {
    const { id } = this;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  }

  #dataOf({ rpId, verifiesUser = true }: Options, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([flags | USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0)]),
      counter,
    ]);
  }
}

function clientData(type: string, { challenge, origin }: Options): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
