import * as texts from '#messages/service/cli.ts';
import { resolve } from 'node:path';
import type * as z from 'zod';
import { ConfigError, named } from './setting-names.ts';
import type { locationsSchema } from './settings-schemas.ts';

/** Keys of a bucket, which do not change by themselves. */
interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** An S3 bucket for documents' files. */
export interface S3Settings {
  /** `https://…`, without the bucket */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** prefix of the names of all files: '' or ending in `/` */
  readonly prefix: string;
  /** whether the bucket is in the path of URLs; otherwise in the host name */
  readonly pathStyle: boolean;
  /** null: temporary ones of Amazon's default chain, such as those of a role */
  readonly keys: S3Keys | null;
}

/**
 * Where documents' files are stored: an absolute directory or a bucket; undefined: not set.
 * @throws {ConfigError}
 */
export function filesOf({
  files,
  s3Endpoint,
  s3Region: region,
  s3PathStyle,
  s3AccessKeyId: accessKeyId,
  s3SecretAccessKey: secretAccessKey,
}: z.output<typeof locationsSchema>): string | S3Settings | undefined {
  if (files === undefined) return undefined;
  if (!/^[a-z0-9]+:\/\//i.test(files)) return resolve(files);
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(files);
  const [, bucket = '', path = ''] = match ?? [];
  const segments = path.split('/').filter((segment) => segment !== '');
  if (!match || segments.some((segment) => /^\.+$/.test(segment))) {
    throw new ConfigError(texts.filesInvalid(named('files')));
  }
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new ConfigError(
      texts.bucketNeedsBothKeys({
        s3AccessKeyId: named('s3AccessKeyId'),
        s3SecretAccessKey: named('s3SecretAccessKey'),
      }),
    );
  }
  return {
    endpoint: s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    // Amazon expects the bucket in the host name, most others in the path.
    pathStyle: s3PathStyle ?? s3Endpoint !== undefined,
    keys:
      accessKeyId === undefined || secretAccessKey === undefined
        ? null
        : { accessKeyId, secretAccessKey },
  };
}
