/** Backups, copies and the store of files. */
import { formatCount } from '#shared/messages/format.ts';
export const checkingEntry = (name: string) => `Checking ${name}`;
export const manifestDamaged = 'Its manifest is damaged.';
export const moreThanManifest = 'It holds more than its manifest says.';
export const entryMissing = (name: string) => `${name} is missing, or has another size.`;
export const unexpectedEntry = (name: string) => `It holds ${name}.`;
export const entryDamaged = (name: string) => `${name} is damaged.`;
export const noManifest = 'It has no manifest.';
export const copyingDatabase = 'Copying the database';
export const packingFiles = (files: number) => `Packing files: ${formatCount(files)}`;
export const restoringEntry = (name: string) => `Restoring ${name}`;
export const restoredDatabase = 'The database of --database-url';
export const notTar = 'It is no tar file, or damaged.';
export const endsTooEarly = 'It ends too early.';
export const entryKindUnknown = (type: string) => `It holds an entry of the kind ${type}.`;
export const nameTooLong = (name: string) => `The name ${name} is too long.`;
export const headerKindUnknown = 'It holds an extended header of another kind.';
export const copyingTable = ({
  name,
  value,
  count,
}: {
  name: string;
  value: number;
  count: number;
}) => `Copying ${name} (${value} of ${count})`;
export const copyingFiles = (count: number) => `Copying and checking files: ${formatCount(count)}`;
export const indexingTable = ({
  name,
  value,
  count,
}: {
  name: string;
  value: number;
  count: number;
}) => `Indexing ${name} (${value} of ${count})`;
export const checkingTable = ({
  name,
  value,
  count,
}: {
  name: string;
  value: number;
  count: number;
}) => `Checking ${name} (${value} of ${count})`;
export const bucketAnswersNoBytes = 'It answers no bytes.';
export const bucketWithoutRanges = 'It does not answer parts of objects.';
export const bucketAnswers = (status: number) => `It answers ${status}`;
export const bucketSilent = 'It does not answer.';
export const scannerSilent = 'It does not answer.';
export const scannerAnswers = (answer: string) => `It answers “${answer}”.`;
export const scannerUnreachable = (code: string) => `It cannot be reached (${code}).`;
export const probeContent = `Indexdesk can store files here.
`;
export const bucketAnswersOtherBytes = 'It answers other bytes than were stored.';
export const filesNotStorable = ({ where, message }: { where: string; message: string }) =>
  `Files cannot be stored in ${where}: ${message}`;
export const keysRefused = ({ where, message }: { where: string; message: string }) =>
  `The keys may not store and read files in ${where}: ${message}`;
export const noKeys = ({ where, message }: { where: string; message: string }) =>
  `There are no keys for ${where}. Set INDEXDESK_S3_ACCESS_KEY_ID and INDEXDESK_S3_SECRET_ACCESS_KEY, or give this machine a role: ${message}`;
export const noBucket = ({
  bucket,
  endpoint,
  message,
}: {
  bucket: string;
  endpoint: string;
  message: string;
}) => `There is no bucket ${bucket} at ${endpoint}: ${message}`;
export const fileNotStored = (location: string) =>
  `The store of the files does not have ${location}.`;
