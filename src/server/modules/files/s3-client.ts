/*
 * What the service uses of Amazon's client. The published package contains this module bundled with the client
 * (scripts/bundle-s3-client.ts), so that nobody installs the 22 MB of the client's own packages.
 */
export {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
export { Upload } from '@aws-sdk/lib-storage';
