/** Backups, copies and the store of files. */
import { formatCount } from '#shared/messages/format.ts';
export const checking = (name: string) => `Checking ${name}`;
export const manifestDamaged = 'Its manifest is damaged.';
export const holdsMoreManifestSays = 'It holds more than its manifest says.';
export const missingAnotherSize = (name: string) => `${name} is missing, or has another size.`;
export const holds = (name: string) => `It holds ${name}.`;
export const damaged = (name: string) => `${name} is damaged.`;
export const noManifest = 'It has no manifest.';
export const copyingDatabase = 'Copying the database';
export const packingFiles = (files: number) => `Packing files: ${formatCount(files)}`;
export const restoring = (name: string) => `Restoring ${name}`;
export const databaseDatabaseUrl = 'The database of --database-url';
export const noTarFileDamaged = 'It is no tar file, or damaged.';
export const endsTooEarly = 'It ends too early.';
export const holdsEntryKind = (type: string) => `It holds an entry of the kind ${type}.`;
export const nameTooLong = (name: string) => `The name ${name} is too long.`;
export const holdsExtendedHeaderAnotherKind = 'It holds an extended header of another kind.';
export const copying = ({ name, value, count }: { name: string; value: number; count: number }) =>
  `Copying ${name} (${value} of ${count})`;
export const copyingCheckingFiles = (count: number) =>
  `Copying and checking files: ${formatCount(count)}`;
export const indexing = ({ name, value, count }: { name: string; value: number; count: number }) =>
  `Indexing ${name} (${value} of ${count})`;
export const checkingTable = ({
  name,
  value,
  count,
}: {
  name: string;
  value: number;
  count: number;
}) => `Checking ${name} (${value} of ${count})`;
export const answersNoBytes = 'It answers no bytes.';
export const doesNotAnswerPartsObjects = 'It does not answer parts of objects.';
export const answers = (status: number) => `It answers ${status}`;
export const doesNotAnswer = 'It does not answer.';
export const indexdeskStoreFilesHere = `Indexdesk can store files here.
`;
export const storeFilesCannotReachedNothing =
  'The store of the files cannot be reached. Nothing was saved.';
export const storeFilesCannotReached = 'The store of the files cannot be reached.';
export const answersOtherBytesStored = 'It answers other bytes than were stored.';
export const filesCannotStored = ({ where, message }: { where: string; message: string }) =>
  `Files cannot be stored in ${where}: ${message}`;
export const keysNotStoreReadFiles = ({ where, message }: { where: string; message: string }) =>
  `The keys may not store and read files in ${where}: ${message}`;
export const noBucket = ({
  bucket,
  endpoint,
  message,
}: {
  bucket: string;
  endpoint: string;
  message: string;
}) => `There is no bucket ${bucket} at ${endpoint}: ${message}`;
