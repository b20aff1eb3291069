/** What the commands print, and why they refuse. */
import { formatCount } from '#shared/messages/format.ts';
import { plural } from '../language.ts';
import * as counts from './counts.ts';

export const noOptionOfCommand = (name: string) => `This command has no option --${name}.`;
export const argumentMissing = (missing: string) => `${missing} is missing.`;
export const argumentNotExpected = (extra: string) => `The argument ${extra} is not expected.`;
export const backupWritten = (of: { file: string; bytes: number; files: number }) =>
  `Wrote ${of.file}: ${counts.bytes(of.bytes)}, with ${counts.files(of.files)} of documents.`;
/** the content of a backup, as part of another text */
export const backup = (of: { at: string; bytes: number; files: number }) =>
  `the backup of ${of.at}, ${counts.bytes(of.bytes)}, with ${counts.files(of.files)} of documents`;
export const incompleteBackup = (of: Parameters<typeof backup>[0] & { missing: number }) =>
  `${backup(of)}, without ${counts.files(of.missing)} missing when it was made`;
export const backupFileDamaged = (location: string) =>
  `The file files/${location} is missing or damaged.`;
export const filesNotInBackup = (count: number) =>
  plural(count, {
    one: '1 file is not in the backup; everything else is.',
    other: `${formatCount(count)} files are not in the backup; everything else is.`,
  });
export const backupComplete = ({ file, tally }: { file: string; tally: string }) =>
  `${file} is complete: ${tally}.`;
export const backupRestored = ({ dataDir, tally }: { dataDir: string; tally: string }) =>
  `Restored to ${dataDir}: ${tally}.`;
export const commandMissing = 'The command is missing.';
export const noCommand = (command: string) => `There is no command ${command}.`;
export const placesSame = '--from and --to are the same.';
export const sourceFileDamaged = (location: string) =>
  `The file ${location} is missing or damaged in the source.`;
export const filesNotCopied = (count: number) =>
  plural(count, {
    one: '1 file was not copied; everything else was.',
    other: `${formatCount(count)} files were not copied; everything else was.`,
  });
export const locationMissing = (flag: string) =>
  `--${flag} is missing: a data directory, or postgres://…`;
export const dataOptionForPostgres = (flag: string) =>
  `--${flag}-data is for PostgreSQL: a data directory contains its files.`;
export const copied = (of: {
  name: string;
  rows: number;
  tables: number;
  files: number;
  bytes: number;
}) =>
  `Copied to ${of.name} and compared on both sides: ${counts.rows(of.rows)} in ${counts.tables(of.tables)}, ${counts.files(of.files)} of ${counts.bytes(of.bytes)}.`;
export const noAdministrator = (admin: string) =>
  `Nobody can administer this installation, and the user ${admin} is disabled or is not an administrator. Add one with \`indexdesk user add NAME --role administrator\`.`;
export const adminCreated = ({ admin, password }: { admin: string; password: string }) =>
  `The user ${admin} was created. Its password, shown only now: ${password}
It must be changed at the first sign-in. Set INDEXDESK_ADMIN_PASSWORD before the first start to choose it yourself.`;
export const sampleLoaded = 'The sample content was loaded: 200 invoices and their suppliers.';
export const unencryptedClients = (host: string) =>
  `Warning: the service listens on ${host} without encryption. Put a proxy with HTTPS before it, and name the proxy in --trusted-proxies.`;
export const unencryptedDatabase =
  'Warning: the connection to PostgreSQL leaves this machine without encryption, or its certificate is not checked. Add sslmode=verify-full to --database-url.';
/** a database whose URL cannot be read, and may contain a password */
export const postgresDatabase = 'the database of PostgreSQL';
export const unencryptedBucket =
  'Warning: the connection to the bucket leaves this machine without encryption. Use https:// in --s3-endpoint.';
export const unencryptedScanner =
  'Warning: the connection to the malware scanner leaves this machine without encryption. Run clamd on this machine, or reach it through an encrypted network.';
export const portInUse = ({ port, host }: { port: number; host: string }) =>
  `The port ${port} of ${host} is in use by another program. Choose another one with --port.`;
export const portForbidden = (port: number) =>
  `This user has no permission to use the port ${port}. Choose one above 1023 with --port.`;
export const hostUnknown = (host: string) =>
  `${host} is not an address of this machine. Choose another one with --host.`;
export const cannotListen = ({
  host,
  port,
  value,
}: {
  host: string;
  port: number;
  value: string;
}) => `The service cannot listen on ${host}, port ${port}: ${value}`;
export const sequencingHistory = (entries: number) =>
  `Sequencing the history: ${counts.entries(entries)}`;
export const databaseUpToDate = (to: number) =>
  `The database already has version ${to}, which this Indexdesk needs. Nothing to do.`;
export const upgradePreview = ({ from, to }: { from: number; to: number }) =>
  `The database has version ${from}. An upgrade to version ${to} would`;
export const nothingChanged = 'Nothing was changed.';
export const databaseUpgraded = ({ from, to }: { from: number; to: number }) =>
  `The database was upgraded from version ${from} to version ${to}:`;
export const databaseNotClosed =
  'The database did not close in time. All answered requests are saved.';
export const listening = (config: string) => `Indexdesk listening on ${config}`;
export const userDisabled = (username: string) =>
  `${username} is disabled; all sessions have ended.`;
export const userEnabled = (username: string) => `${username} can sign in again.`;
export const factorsReset = (username: string) =>
  `The second factors of ${username} were removed; all sessions have ended.`;
export const roleInvalid = (value: string) => `--role must be one of ${value}.`;
export const userAdded = ({ role, username }: { role: string; username: string }) =>
  `The ${role} ${username} was added.`;
export const rightInvalid = (of: { flag: string; given: string; rights: string }) =>
  `--${of.flag} is “${of.given}”. It must be NAME=RIGHT, such as INVOICES=write; the rights are ${of.rights}.`;
export const passwordChanged = (username: string) =>
  `The password of ${username} was changed; all sessions have ended.`;
export const generatedPassword = ({ username, password }: { username: string; password: string }) =>
  `The password of ${username} is: ${password}`;
/** @param of.action ''; none was given */
const actionUnknown = (of: { command: string; action: string; actions: string }) =>
  of.action === ''
    ? `\`${of.command}\` needs one of ${of.actions}.`
    : `${of.command} ${of.action}: it must be one of ${of.actions}.`;
export const secretActionUnknown = (action: string) =>
  actionUnknown({ command: 'secret', action, actions: 'replace, remove-older' });
export const secretReplaced =
  'The secret was replaced. The older one still decrypts unsaved input in browsers, until `indexdesk secret remove-older`.';
export const olderSecretsRemoved = (count: number) =>
  count === 0
    ? 'There are no older secrets.'
    : `Older secrets were removed: ${formatCount(count)}.`;
export const sinceInvalid = '--since must be a line that --export printed.';
export const notVerified = (findings: number) => `Not verified: ${counts.findings(findings)}.`;
export const verified = 'Verified: no findings.';
export const modulesSame = ({
  dataModule,
  archiveModule,
}: {
  dataModule: string;
  archiveModule: string;
}) => `${dataModule} must differ from ${archiveModule}.`;
export const providerNeeds = ({
  oidcIssuer,
  oidcClientId,
  publicUrl,
}: {
  oidcIssuer: string;
  oidcClientId: string;
  publicUrl: string;
}) => `${oidcIssuer} needs ${oidcClientId} and ${publicUrl}.`;
export const filesInvalid = (files: string) =>
  `${files} must be a directory, or a bucket as s3://bucket or s3://bucket/prefix.`;
export const bucketNeedsBothKeys = ({
  s3AccessKeyId,
  s3SecretAccessKey,
}: {
  s3AccessKeyId: string;
  s3SecretAccessKey: string;
}) =>
  `${s3AccessKeyId} and ${s3SecretAccessKey} are needed together. Without both, the keys of an AWS role or of an AWS file are used.`;
export const unknownOption = (rawName: string) => `There is no option ${rawName}.`;
export const optionTwice = (rawName: string) => `${rawName} is given more than once.`;
export const optionNeedsValue = (rawName: string) => `${rawName} needs a value.`;
export const takesNoValue = (rawName: string) => `${rawName} takes no value.`;
export const helpOf = (command: string) => `\`indexdesk ${command} --help\` describes the options.`;
export const help = '`indexdesk --help` describes the options.';
export const note = (text: string) => `Note: ${text}`;
export const userActionUnknown = (action: string) =>
  actionUnknown({
    command: 'user',
    action,
    actions: 'add, set, delete, password, reset-factors, disable, enable, list, token',
  });
export const tokenActionUnknown = (action: string) =>
  actionUnknown({ command: 'user token', action, actions: 'add, list, delete' });
export const tokenRightInvalid = (rights: string) => `--right must be one of ${rights}.`;
export const flagWrong = ({ flag, problem }: { flag: string; problem: string }) =>
  `--${flag}: ${problem}`;
export const tokenOfDisabled = (username: string) =>
  `${username} is disabled. Run \`indexdesk user enable ${username}\` first.`;
export const tokenAdded = ({ username, token }: { username: string; token: string }) =>
  `The token of ${username} is: ${token}`;
export const tokenDeleted = (username: string) => `The token of ${username} was revoked.`;
export const groupActionUnknown = (action: string) =>
  actionUnknown({ command: 'group', action, actions: 'add, set, delete, list' });
export const groupAdded = (name: string) => `The group ${name} was added.`;
export const groupChanged = (name: string) => `The group ${name} was changed.`;
export const groupDeleted = (name: string) => `The group ${name} was deleted.`;
export const emailInvalid = '--email must be an e-mail address.';
export const userChanged = (username: string) => `${username} was changed.`;
export const userDeleted = (username: string) =>
  `${username} was deleted. The name cannot be used for another user.`;
export const theRights = 'The value';
export const rightsNotJson = (reason: string) => `The value is not JSON. ${reason}`;
/** `problem` is one or more sentences. */
export const rightsInvalid = (problem: string) =>
  `--rights: ${problem} A valid value is {"archives": {"INVOICES": "write"}}.`;
export const plannedChange = (of: {
  kind: string;
  field: string;
  properties: readonly string[];
  affected: number;
  misfits: number;
}) => {
  const properties = of.properties.length > 0 ? ` (${of.properties.join(', ')})` : '';
  const counted = `${plural(of.affected, { one: '1 value', other: `${formatCount(of.affected)} values` })}, ${plural(of.misfits, { one: '1 misfit', other: `${formatCount(of.misfits)} misfits` })}`;
  return `  ${of.kind} ${of.field}${properties}: ${counted}`;
};
export const definitionOutcome = (of: {
  name: string;
  outcome: 'created' | 'changed' | 'unchanged' | 'refused';
  isDone: boolean;
  changes: number;
}) =>
  of.isDone
    ? `${of.name}: ${of.outcome}`
    : `${of.name}: refused, because stored values do not fit. Correct them first, or use --keep-misfits.`;
export const retireOrRestore = (kind: string) =>
  `Use \`${kind} retire NAME\`, \`${kind} restore NAME\` or \`${kind} purge NAME --confirm NAME\`.`;
export const confirmOption = (name: string) =>
  `To delete it permanently, confirm it by its name: --confirm ${name}.`;
export const purged = (name: string) => `${name} is permanently deleted.`;
export const retiredOrRestored = (of: { name: string; action: 'retire' | 'restore' }) =>
  of.action === 'retire' ? `${of.name} is retired.` : `${of.name} is restored.`;
export const directoryNotWritable = (directory: string) =>
  `The data directory ${directory} cannot be written to.`;
export const noUser = (username: string) => `There is no user ${username}.`;
