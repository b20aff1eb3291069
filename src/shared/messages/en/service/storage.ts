/** Backups, copies and the store of files. */
import { formatCount } from '#shared/messages/format.ts';
import * as counts from './counts.ts';
export const checkingEntry = (name: string) => `Checking ${name}`;
export const manifestDamaged = 'Its manifest is damaged.';
export const moreThanManifest = 'It contains more than its manifest lists.';
export const entryMissing = (name: string) => `${name} is missing, or has another size.`;
export const unexpectedEntry = (name: string) =>
  `It contains ${name}, which is not in its manifest.`;
export const entryDamaged = (name: string) => `${name} is damaged.`;
export const noManifest = 'It has no manifest.';
export const copyingDatabase = 'Copying the database';
export const packingFiles = (files: number) => `Packing files: ${formatCount(files)}`;
export const restoringEntry = (name: string) => `Restoring ${name}`;
export const restoredDatabase = 'The database of --database-url';
export const notTar = 'It is not a tar file, or is damaged.';
export const endsTooEarly = 'It ends too early.';
export const entryKindUnknown = (type: string) => `It contains an entry of the kind ${type}.`;
export const nameTooLong = (name: string) => `The name ${name} is too long.`;
export const headerKindUnknown = 'It contains an extended header of an unknown kind.';
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
export const bucketAnswersNoBytes = 'It returned no data.';
export const bucketWithoutRanges = 'It does not support range requests.';
export const bucketAnswers = (status: number) => `It answered with status ${status}`;
export const bucketSilent = 'It does not answer.';
export const scannerSilent = 'It does not answer.';
export const scannerAnswers = (answer: string) => `It answered “${answer}”.`;
export const scannerUnreachable = (code: string) => `It cannot be reached (${code}).`;
export const probeContent = `Indexdesk can store files here.
`;
export const bucketAnswersOtherBytes = 'It returned other data than was stored.';
export const bucketOf = ({ bucket, endpoint }: { bucket: string; endpoint: string }) =>
  `the bucket ${bucket} of ${endpoint}`;
export const filesNotStorable = ({ where, message }: { where: string; message: string }) =>
  `Files cannot be stored in ${where}: ${message}`;
export const keysRefused = ({ where, message }: { where: string; message: string }) =>
  `The keys have no right to store and read files in ${where}: ${message}`;
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
export const fileNotStored = (location: string) => `The file storage does not have ${location}.`;
export const notWritable = ({ directory, why }: { directory: string; why: string }) =>
  `Nothing can be written to ${directory}: ${why}`;
export const backupExists = (path: string) =>
  `${path} already exists. A backup never replaces a file.`;
export const copyUnfinished = 'The database is an unfinished copy: finish it first.';
export const backupOfNewer = ({ version, known }: { version: number; known: number }) =>
  `The database has version ${version}, but this Indexdesk supports versions up to ${known}. Back it up with the newer Indexdesk that last used it.`;
export const backupDamaged = ({ path, why }: { path: string; why: string }) =>
  `${path} is not a complete backup. ${why} Use another one.`;
export const backupUnreadable = ({ path, why }: { path: string; why: string }) =>
  `${path} cannot be read: ${why}`;
export const restoreOfNewer = ({
  path,
  indexdesk,
  version,
  known,
}: {
  path: string;
  indexdesk: string;
  version: number;
  known: number;
}) =>
  `${path} was made by Indexdesk ${indexdesk}, which is newer: its database has version ${version}, but this one supports versions up to ${known}. Restore it with that Indexdesk. Nothing was changed.`;
export const theBackup = 'the backup';
export const backupOf = (createdAt: string) => `the backup of ${createdAt}`;
export const directoryNotEmpty = (directory: string) =>
  `The data directory ${directory} is not empty. Choose another one with --data, or move it away.`;
export const backupOfDamaged = ({ path, why }: { path: string; why: string }) =>
  `The database ${path} is damaged (${why}), so no backup was made. Keep the older ones. Stop the service, copy the data directory as it is, and restore the last good backup.`;
export const copyColumnsDiffer = (table: string) =>
  `The table ${table} has other columns in the target. Nothing was copied.`;
export const copyTableMissing = (table: string) =>
  `The table ${table} is missing. The database is not complete.`;
export const tableNotCopied = (table: string) =>
  `The table ${table} is not copied: it does not belong to Indexdesk.`;
export const rowsOf = ({ progress, rows }: { progress: string; rows: number }) =>
  `${progress}: ${counts.rows(rows)}`;
export const changedWhileCopied = (name: string) =>
  `${name} was changed while it was copied. Stop what runs on it, empty the target (remove its directory, or drop and create its database) and copy again.`;
export const targetIsOtherCopy = ({ name, from }: { name: string; from: string }) =>
  `${name} is the unfinished copy of ${from}: continue that copy, or empty ${name} first.`;
export const targetNotEmpty = (name: string) =>
  `${name} is not empty: a copy needs a new directory or a new database.`;
export const copyDiffers = (table: string) =>
  `The table ${table} is not the same on both sides: the source was changed since the copy began. Empty the target (remove its directory, or drop and create its database) and copy again with nothing running on the source.`;
export const directoryNotUsable = ({ directory, why }: { directory: string; why: string }) =>
  `Files cannot be stored in the directory ${directory}: ${why}`;
