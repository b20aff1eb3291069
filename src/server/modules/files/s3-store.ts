import type { Message } from '#shared/messages/message.ts';
import { fileStoreUnreachable, fileStoreUnreadable } from '#messages/service/storage-errors.ts';
import * as texts from '#messages/service/storage.ts';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '#server/config.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { locationOf, type FileStore } from './file-store.ts';
import { sweepIncoming, withIncoming } from './incoming.ts';
import { MissingFileError } from './missing-file.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { S3Error } from './s3-error.ts';

/** The content that the check at the start stores and reads back. */
const PROBE = Buffer.from(texts.probeContent);

/**
 * Files in a bucket of a store with S3's interface.
 * @param incomingDir of this process's machine
 * @param part as of `S3Bucket`
 */
export function s3Store(settings: S3Settings, incomingDir: string, part?: number): FileStore {
  let connecting: Promise<S3Bucket> | undefined;
  // The S3 client is large: it is loaded only if files are in a bucket.
  const connect = () =>
    (connecting ??= import('./s3-bucket.ts').then(({ S3Bucket }) => new S3Bucket(settings, part)));
  /** @param failure the answer if the store fails */
  const ask = async <T>(failure: Message, work: (bucket: S3Bucket) => Promise<T>): Promise<T> => {
    try {
      return await work(await connect());
    } catch (error) {
      throw unavailable(error, failure);
    }
  };
  return {
    incomingDir,
    put: (file) =>
      ask(fileStoreUnreachable, async (bucket) => {
        const location = locationOf(file.sha256);
        if ((await bucket.sizeOf(location)) !== file.size) await bucket.put(location, file);
        return location;
      }),
    open: (location, range) =>
      ask(fileStoreUnreadable, async (bucket) => {
        try {
          return await bucket.get(location, range);
        } catch (error) {
          const isMissing = error instanceof S3Error && error.status === 404;
          throw isMissing ? new MissingFileError(location, error) : error;
        }
      }),
    size: (location) => ask(fileStoreUnreadable, (bucket) => bucket.sizeOf(location)),
    remove: (location) => ask(fileStoreUnreachable, (bucket) => bucket.delete(location)),
    async check() {
      try {
        await withIncoming({ incomingDir }, Readable.from([PROBE]), async (file) => {
          const location = locationOf(file.sha256);
          const bucket = await connect();
          await bucket.sizeOf(location);
          await bucket.put(location, file);
          const bytes = await buffer(await bucket.get(location));
          if (!bytes.equals(PROBE)) throw new S3Error(texts.bucketAnswersOtherBytes);
        });
      } catch (error) {
        if (!(error instanceof S3Error)) throw error;
        throw new Error(describeRefusal(settings, error), { cause: error });
      }
    },
    async sweep(before) {
      await sweepIncoming(incomingDir, before);
      await (await connect()).abortUploads(before);
    },
  };
}

function unavailable(error: unknown, message: Message): unknown {
  if (!(error instanceof S3Error)) return error;
  return new ApiError('unavailable', message, { retryAfter: 5, cause: error });
}

/** Why files cannot be stored, for the administrator. */
function describeRefusal({ bucket, endpoint }: S3Settings, error: S3Error): string {
  const where = texts.bucketOf({ bucket, endpoint });
  if (error.cause instanceof Error && error.cause.name === 'CredentialsProviderError') {
    return texts.noKeys({ where, message: error.message });
  }
  if (error.status === 0) return texts.filesNotStorable({ where, message: error.message });
  if (error.status === 403) {
    return texts.keysRefused({ where, message: error.message });
  }
  if (error.status === 404) return texts.noBucket({ bucket, endpoint, message: error.message });
  return texts.filesNotStorable({ where, message: error.message });
}
