import * as texts from '#messages/service/storage.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { S3Settings } from '#server/config.ts';
import type { ByteRange } from '#server/http/byte-range.ts';
import type { Incoming } from './file-store.ts';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  S3Client,
  Upload,
} from './s3-client.ts';
import { S3Error, toS3Error } from './s3-error.ts';

/** Larger files are sent in parts of this size; `MAX_CONCURRENT_PARTS` parts per upload are in memory. */
const PART = 8 * 1024 * 1024;
const MAX_CONCURRENT_PARTS = 3;
/** S3's own limit. */
const MAX_PARTS = 10_000;
/** How often a request with a temporary failure is tried, with growing pauses. */
const ATTEMPTS = 4;
/** Milliseconds: until a connection or an answer to a read begins, and without progress of a write. */
const TIMEOUTS = { reading: 5_000, writing: 30_000 };
/** How often a download may be resumed on a new connection without receiving a byte. */
const MAX_BROKEN_CONNECTIONS = 3;
/** How long a reader waits for bytes before it requests the rest again, in milliseconds. */
const IDLE_TIMEOUT = 10_000;

/** A client for a bucket, independent of the environment unless it has no keys. */
export function openClient(settings: S3Settings): S3Client {
  const agent = { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 16 };
  return new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    // Without keys the client uses Amazon's default credential chain, and refreshes the credentials before they expire.
    ...(settings.keys && { credentials: settings.keys }),
    forcePathStyle: settings.pathStyle,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    maxAttempts: ATTEMPTS,
    retryMode: 'standard',
    // Many stores other than Amazon's reject other checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: TIMEOUTS.reading,
      socketTimeout: TIMEOUTS.writing,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

const READING = { requestTimeout: TIMEOUTS.reading };

/** Objects below the prefix of a bucket. All methods throw {S3Error} if the store fails. */
export class S3Bucket {
  readonly #client: S3Client;
  readonly #settings: S3Settings;
  readonly #part: number;

  /** @param part the size of parts in bytes, at least 5 MiB */
  constructor(settings: S3Settings, part = PART) {
    this.#client = openClient(settings);
    this.#settings = settings;
    this.#part = part;
  }

  /** Deletes an object; S3 accepts a missing one. */
  async delete(key: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#at(key)), READING);
    } catch (error) {
      throw toS3Error(error);
    }
  }

  /** The size of an object in bytes; null if there is none. */
  async sizeOf(key: string): Promise<number | null> {
    try {
      const command = new HeadObjectCommand(this.#at(key));
      return (await this.#client.send(command, READING)).ContentLength ?? 0;
    } catch (error) {
      const failure = toS3Error(error);
      if (failure.status === 404) return null;
      throw failure;
    }
  }

  /**
   * Stores a file atomically.
   * @throws {Error} if the file is not the one that was received; nothing is stored then
   */
  async put(key: string, file: Incoming): Promise<void> {
    const bytes = Readable.from(verified(file), { objectMode: false });
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#at(key), Body: bytes },
      partSize: Math.max(this.#part, Math.ceil(file.size / MAX_PARTS)),
      queueSize: MAX_CONCURRENT_PARTS,
    });
    try {
      await upload.done();
    } catch (error) {
      // An error of the local file is not the store's fault.
      if (bytes.errored) throw bytes.errored;
      // The upload may have succeeded although its answer was lost; a second attempt is then rejected.
      if ((await this.sizeOf(key).catch(() => null)) === file.size) return;
      throw toS3Error(error);
    } finally {
      bytes.destroy();
    }
  }

  /** Reads an object or a part of it. If the connection breaks, the rest is requested again. */
  async get(key: string, range?: ByteRange): Promise<Readable> {
    const begun = await this.#begin(key, range);
    const whole = { first: range?.first ?? 0, last: range?.last ?? begun.size - 1 };
    const bytes = Readable.from(this.#bytesOf(key, whole, begun.body), { objectMode: false });
    // Even if nothing was read.
    return bytes.once('close', () => begun.body.destroy());
  }

  /** Removes the parts of uploads that were begun before a time (milliseconds since 1970) and never completed. */
  async abortUploads(before: number): Promise<void> {
    const { bucket: Bucket, prefix: Prefix } = this.#settings;
    try {
      let page: ListMultipartUploadsCommandOutput | undefined;
      do {
        const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page ?? {};
        const of = { Bucket, Prefix, KeyMarker, UploadIdMarker };
        page = await this.#client.send(new ListMultipartUploadsCommand(of), READING);
        for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
          // Objects of others may be below the same prefix.
          const isOwn = /^[0-9a-f]{2}\/[0-9a-f]{64}$/.test(Key.slice(Prefix.length));
          if (!isOwn || !Initiated || Initiated.getTime() >= before) continue;
          await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        }
        // S3 answers 1,000 at a time.
      } while (page.IsTruncated);
    } catch (error) {
      throw toS3Error(error);
    }
  }

  #at(key: string) {
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + key };
  }

  async #begin(key: string, range?: ByteRange): Promise<{ body: Readable; size: number }> {
    const part = range && `bytes=${range.first}-${range.last}`;
    const command = new GetObjectCommand({ ...this.#at(key), Range: part });
    try {
      const {
        Body: body,
        ContentLength: size = 0,
        ...about
      } = await this.#client.send(command, READING);
      if (!(body instanceof Readable)) throw new S3Error(texts.bucketAnswersNoBytes);
      if (part && !about.ContentRange?.startsWith(`${part.replace('=', ' ')}/`)) {
        body.destroy();
        throw new S3Error(texts.bucketWithoutRanges);
      }
      return { body, size };
    } catch (error) {
      throw toS3Error(error);
    }
  }

  async *#bytesOf(
    key: string,
    { first, last }: ByteRange,
    begun: Readable,
  ): AsyncGenerator<Buffer> {
    let body = begun;
    let next = first;
    let cuts = 0;
    const restart = () =>
      setTimeout(() => body.destroy(new Error('It does not send the rest.')), IDLE_TIMEOUT);
    let timer = restart();
    try {
      for (;;) {
        try {
          for await (const chunk of body) {
            // A slow reader is not the store's fault.
            clearTimeout(timer);
            if (!Buffer.isBuffer(chunk)) continue;
            next += chunk.length;
            cuts = 0;
            yield chunk;
            timer = restart();
          }
        } catch (error) {
          if (next <= last && ++cuts > MAX_BROKEN_CONNECTIONS) throw error;
        }
        if (next > last) return;
        clearTimeout(timer);
        ({ body } = await this.#begin(key, { first: next, last }));
        timer = restart();
      }
    } finally {
      clearTimeout(timer);
      body.destroy();
    }
  }
}

/** The bytes of a received file. @throws {Error} at the end, if they are not those of its digest */
async function* verified({ path, sha256 }: Incoming): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    if (!Buffer.isBuffer(chunk)) continue;
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new Error(`The file ${path} has changed.`);
}
