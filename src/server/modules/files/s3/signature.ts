import { createHash, createHmac } from 'node:crypto';

/** The keys of a user of the store. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What of a request is signed. */
export interface SignedParts {
  readonly method: string;
  /** as it is sent: encoded once */
  readonly path: string;
  /** as `canonicalQuery` writes it */
  readonly query: string;
  /** lower-case names, `host` included */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hexadecimal */
  readonly bodySha256: string;
}

/** SHA-256 of no bytes. */
export const EMPTY_SHA256 = createHash('sha256').digest('hex');

/**
 * The headers that sign a request to S3 (AWS Signature Version 4, `Authorization` header, one chunk). The
 * server refuses the request where what arrives is another, a body of other bytes included.
 */
export function signatureHeaders(
  parts: SignedParts,
  keys: S3Keys,
  region: string,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.[0-9]{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const added = { 'x-amz-content-sha256': parts.bodySha256, 'x-amz-date': time };
  const headers = Object.entries({ ...parts.headers, ...added }).sort(byName);
  const names = headers.map(([name]) => name).join(';');
  const canonical = [
    parts.method,
    parts.path,
    parts.query,
    ...headers.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    parts.bodySha256,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  let key: string | Buffer = `AWS4${keys.secretAccessKey}`;
  for (const part of scope.split('/')) key = hmac(key, part);
  const credential = `${keys.accessKeyId}/${scope}`;
  const signature = hmac(key, toSign).toString('hex');
  return {
    ...added,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** A query string in the one way of writing it that is signed. */
export function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Everything but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function byName([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : Number(one > other);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
