import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Incoming } from '../file-store.ts';
import type { S3Body, S3Client } from './client.ts';
import { S3Error } from './errors.ts';
import { elementOf, elementsOf, escapeXml } from './xml.ts';

/** Files above this many bytes are sent in parts of this size, and each part again where it fails. */
const PART = 16 * 1024 * 1024;
/** S3's own bound. */
const MOST_PARTS = 10_000;
/** How many parts of one file are sent at the same time. */
const AT_ONCE = 3;

/**
 * Stores a file under a key; there is nothing under it before all of its bytes are.
 * @param part bytes above which a file is sent in parts, and of each of them; at least 5 MiB for most stores
 * @throws {S3Error}
 */
export async function upload(
  client: S3Client,
  key: string,
  file: Incoming,
  part: number = PART,
): Promise<void> {
  if (file.size > part) {
    await uploadInParts(client, key, file, Math.max(part, Math.ceil(file.size / MOST_PARTS)));
    return;
  }
  const { size, sha256, path } = file;
  await client.ask({
    method: 'PUT',
    key,
    body: { size, sha256, open: () => createReadStream(path) },
  });
}

async function uploadInParts(
  client: S3Client,
  key: string,
  { path, size }: Incoming,
  partSize: number,
): Promise<void> {
  const { text } = await client.ask({ method: 'POST', key, query: { uploads: '' } });
  const uploadId = elementOf(text, 'UploadId');
  if (uploadId === null) throw new S3Error('It does not begin an upload in parts.', {});
  try {
    const tags: string[] = [];
    const waiting = Array.from({ length: Math.ceil(size / partSize) }, (_, i) => i);
    const work = async () => {
      for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) {
        const body = await partOf(path, i * partSize, Math.min(size, (i + 1) * partSize));
        const query = { partNumber: String(i + 1), uploadId };
        const { headers } = await client.ask({ method: 'PUT', key, query, body });
        tags[i] = headers.etag ?? '';
      }
    };
    const results = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, () =>
        // After a failure no other part is begun.
        work().catch((error: unknown) => {
          waiting.length = 0;
          throw error;
        }),
      ),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    await complete(client, key, uploadId, tags);
  } catch (error) {
    // It may have been completed though its answer was lost, and a second attempt is refused then.
    if ((await client.sizeOf(key).catch(() => null)) === size) return;
    await abort(client, key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** The bytes from one offset up to another, with their digest. */
async function partOf(path: string, start: number, end: number): Promise<S3Body> {
  const open = () => createReadStream(path, { start, end: end - 1 });
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of open()) {
    if (!Buffer.isBuffer(chunk)) continue;
    hash.update(chunk);
    size += chunk.length;
  }
  if (size !== end - start) throw new Error(`The file ${path} has become shorter.`);
  return { size, sha256: hash.digest('hex'), open };
}

async function complete(
  client: S3Client,
  key: string,
  uploadId: string,
  tags: readonly string[],
): Promise<void> {
  const parts = tags.map(
    (tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const xml = Buffer.from(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
  );
  const sha256 = createHash('sha256').update(xml).digest('hex');
  const body = { size: xml.length, sha256, open: () => Readable.from([xml]) };
  const { text } = await client.ask({ method: 'POST', key, query: { uploadId }, body });
  // The status is answered before the parts are put together, the outcome in the text.
  if (!text.includes('<CompleteMultipartUploadResult')) throw S3Error.ofAnswer(200, text);
}

function abort(client: S3Client, key: string, uploadId: string): Promise<unknown> {
  return client.ask({ method: 'DELETE', key, query: { uploadId } });
}

/** Removes the parts of uploads that were begun before a time and never completed. @throws {S3Error} */
export async function abortUploads(
  client: S3Client,
  prefix: string,
  before: number,
): Promise<void> {
  const { text } = await client.ask({ method: 'GET', query: { uploads: '', prefix } });
  for (const found of elementsOf(text, 'Upload')) {
    const key = elementOf(found, 'Key');
    const uploadId = elementOf(found, 'UploadId');
    const begun = Date.parse(elementOf(found, 'Initiated') ?? '');
    // Others' objects may stand below the same prefix.
    if (key === null || uploadId === null || !(begun < before)) continue;
    const own = key.slice(prefix.length);
    if (/^[0-9a-f]{2}\/[0-9a-f]{64}$/.test(own)) await abort(client, own, uploadId);
  }
}
