/** What the commands print and refuse. */
export const commandNoOption = (name: string) => `This command has no option --${name}.`;
export const needsValue = (flag: string) => `${flag} needs a value.`;
export const missing = (missing: string) => `${missing} is missing.`;
export const argumentNotExpected = (extra: string) => `The argument ${extra} is not expected.`;
export const wroteDocuments = ({
  file,
  bytes,
  files,
}: {
  file: string;
  bytes: string;
  files: string;
}) => `Wrote ${file}: ${bytes}, with ${files} of documents.`;
export const fileFilesMissingDamaged = (location: string) =>
  `The file files/${location} is missing or damaged.`;
export const notBackupEverythingElse = (count: string) =>
  `${count} not in the backup; everything else is.`;
export const complete = ({ file, tally }: { file: string; tally: string }) =>
  `${file} is complete: ${tally}.`;
export const restored = ({ dataDir, tally }: { dataDir: string; tally: string }) =>
  `Restored to ${dataDir}: ${tally}.`;
export const commandMissing = 'The command is missing.';
export const noCommand = (command: string) => `There is no command ${command}.`;
export const argumentValueNotExpected = (value: string) => `The argument ${value} is not expected.`;
export const fromSame = '--from and --to are the same.';
export const fileMissingDamagedSource = (location: string) =>
  `The file ${location} is missing or damaged in the source.`;
export const notCopiedEverythingElse = (count: string) =>
  `${count} not copied; everything else was.`;
export const dataPostgresqlDataDirectoryContains = (flag: string) =>
  `--${flag}-data is for PostgreSQL: a data directory contains its files.`;
export const copiedComparedBothSides = ({
  name,
  rows,
  tables,
  files,
  bytes,
}: {
  name: string;
  rows: string;
  tables: string;
  files: string;
  bytes: string;
}) => `Copied to ${name} and compared on both sides: ${rows} in ${tables}, ${files} of ${bytes}.`;
export const nobodyAdministerInstallationUserDisabled = (admin: string) =>
  `Nobody can administer this installation, and the user ${admin} is disabled or no administrator. Add one with \`indexdesk user add NAME --role administrator\`.`;
export const userMadePasswordShownOnly = ({
  admin,
  password,
}: {
  admin: string;
  password: string;
}) => `The user ${admin} was made. Its password, shown only now: ${password}`;
export const sampleContentLoaded200Invoices =
  'The sample content was loaded: 200 invoices and their suppliers.';
export const creatingIndex = ({ name, index }: { name: string; index: string }) =>
  `${name}: creating the index ${index}.`;
export const allIndexesComplete = 'All indexes are complete.';
export const indexesNotCompletedSortedLists = (reason: string) =>
  `Indexes could not be completed: ${reason} Sorted lists are slower until the next start completes them.`;
export const portUseAnotherProgramChoose = ({ port, host }: { port: number; host: string }) =>
  `The port ${port} of ${host} is in use by another program. Choose another one with --port.`;
export const portNotUsedUserChoose = (port: number) =>
  `The port ${port} may not be used by this user. Choose one above 1023 with --port.`;
export const notAddressMachineChooseAnother = (host: string) =>
  `${host} is not an address of this machine. Choose another one with --host.`;
export const serviceCannotListenPort = ({
  host,
  port,
  value,
}: {
  host: string;
  port: number;
  value: string;
}) => `The service cannot listen on ${host}, port ${port}: ${value}`;
export const sequencingHistory = (sequenced: string) => `Sequencing the history: ${sequenced}`;
export const databaseVersionWhichIndexdeskNeeds = (to: number) =>
  `The database is of version ${to}, which this Indexdesk needs. Nothing to do.`;
export const databaseVersionUpgradeVersionWould = ({ from, to }: { from: number; to: number }) =>
  `The database is of version ${from}. An upgrade to version ${to} would`;
export const nothingChanged = 'Nothing was changed.';
export const databaseUpgradedFromVersionVersion = ({ from, to }: { from: number; to: number }) =>
  `The database was upgraded from version ${from} to version ${to}:`;
export const newPassword = (username: string) => `New password of ${username}: `;
export const onceMore = 'Once more: ';
export const databaseDidNotCloseTime =
  'The database did not close in time. Everything that was answered is saved.';
export const indexdeskListening = (config: string) => `Indexdesk listening on ${config}`;
export const disabledAllSessionsEnded = (username: string) =>
  `${username} is disabled; all sessions have ended.`;
export const signAgain = (username: string) => `${username} can sign in again.`;
export const roleOne = (value: string) => `--role must be one of ${value}.`;
export const added = ({ role, username }: { role: string; username: string }) =>
  `The ${role} ${username} was added.`;
export const nameRight = ({ flag, value }: { flag: string; value: string }) =>
  `--${flag} must be NAME=RIGHT, with ${value}.`;
export const passwordChangedAllSessionsEnded = (username: string) =>
  `The password of ${username} was changed; all sessions have ended.`;
export const password = ({ username, password }: { username: string; password: string }) =>
  `The password of ${username} is: ${password}`;
export const sinceLineExportPrinted = '--since must be a line that --export has printed.';
export const notVerified = (found: string) => `Not verified: ${found}.`;
export const verifiedNothingFound = 'Verified: nothing found.';
export const differFrom = ({
  dataModule,
  archiveModule,
}: {
  dataModule: string;
  archiveModule: string;
}) => `${dataModule} must differ from ${archiveModule}.`;
export const directoryBucketS3BucketS3 = (files: string) =>
  `${files} must be a directory, or a bucket as s3://bucket or s3://bucket/prefix.`;
export const needs = ({
  files,
  s3AccessKeyId,
  s3SecretAccessKey,
}: {
  files: string;
  s3AccessKeyId: string;
  s3SecretAccessKey: string;
}) => `${files} needs ${s3AccessKeyId} and ${s3SecretAccessKey}.`;
export const noOption = (rawName: string) => `There is no option ${rawName}.`;
export const givenTwice = (rawName: string) => `${rawName} is given twice.`;
export const optionNeedsValue = (rawName: string) => `${rawName} needs a value.`;
export const takesNoValue = (rawName: string) => `${rawName} takes no value.`;
