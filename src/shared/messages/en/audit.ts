import { formatCount } from '../format.ts';
import { plural } from './language.ts';

/** The page with everything that happened. */
export const title = 'Audit';
export const notRead = 'The audit could not be read';
export const list = 'Entries, newest first';
export const filters = 'Filters';
export const from = 'From';
export const to = 'To';
export const user = 'Person';
export const kind = 'Kind';
export const collection = 'Archive or table';
export const field = 'Field';
export const fieldHint = 'Name';
export const value = 'Value';
export const valueHint = 'Before or after';
export const anyone = 'Anyone';
export const anyKind = 'Everything';
export const anywhere = 'All';
export const clear = 'Clear filters';
export const exportCsv = 'Export as CSV';
export const exportJsonl = 'Export with proof (JSONL)';
export const exportHint = 'All entries that match the filters';
export const kinds = {
  data: 'Data',
  definition: 'Definitions',
  access: 'Users and rights',
  'sign-in': 'Sign-ins',
  refused: 'Refusals',
};

/** What was done, and to what: of the actions and subjects below. */
export const entryTitle = ({ action, subject }: { action: string; subject: string }) =>
  `${action} ${subject}`;

/** The kinds of entries, by their subject and action. */
export const created = 'Created';
export const loaded = 'Loaded';
export const changed = 'Changed';
export const deleted = 'Deleted';
export const locked = 'Lock changed';
export const restored = 'Restored';
export const purged = 'Permanently deleted';
export const definitionOf = (name: string) => `Definition of ${name}`;
export const definition = 'Definition';
export const userOf = (name: string) => `User ${name}`;
export const groupOf = (name: string) => `Group ${name}`;
export const signedIn = 'Signed in';
export const installation = 'Installation';
export const sessionEnded = 'Session ended';
export const seesAs = 'Began to see as';
export const seesAsNoMore = 'Ended seeing as';
export const tokenMade = 'Token created';
export const tokenUsedFirst = 'Token used for the first time';
export const tokenRevoked = 'Token revoked';
export const signInRefused = 'Sign-in refused';
export const callRefused = 'Call refused';
export const malwareRefused = 'File with malware refused';
export const malwareOf = ({ file, finding }: { file: string; finding: string }) =>
  `${file}: ${finding}`;
export const times = (count: number) =>
  plural(count, { one: 'once', other: `${formatCount(count)} times` });
export const rightOn = (name: string) => `Right on ${name}`;
export const secondFactor = 'Second factor';

/** What changed elsewhere than in a record, by the subject of the entry and its name in the history. */
export const changeNames = {
  definition: {
    definition: 'Definition',
    position: 'Position',
    retiredAt: 'Retired',
    purge: 'What was deleted',
  },
  user: {
    username: 'User name',
    displayName: 'Name',
    email: 'E-mail',
    role: 'Role',
    disabled: 'Disabled',
    mustChangePassword: 'Must change the password',
    password: 'Password',
    identity: 'Identity at the provider',
    recoveryCodes: 'Recovery codes',
  },
  group: { name: 'Name', label: 'Label' },
  session: { sessionId: 'Session', seesAs: 'Sees as' },
  token: {
    tokenId: 'Token',
    name: 'Name',
    prefix: 'Begins with',
    right: 'Right',
    archives: 'Archives',
    tables: 'Tables',
    configuration: 'Administration',
    expiresAt: 'Ends',
    firstUsedAt: 'First used',
  },
  system: {
    backup: 'Backup',
    'backup-check': 'Check of a backup',
    verification: 'Check of the records',
    downloaded: 'Downloaded backup',
    state: 'State',
    findings: 'Findings',
    secret: 'Secret',
  },
  refused: { reason: 'Reason', attempts: 'Attempts', file: 'File', finding: 'Finding' },
};
export const unknownAccount = 'Unknown account';

export const nothing = 'Nothing matches';
export const nothingMore = 'Change or clear the filters.';
export const searchedBackTo = (instant: string) => `Searched back to ${instant}…`;
export const chainHead = ({ entries, block }: { entries: number; block: string }) =>
  plural(entries, {
    one: `1 entry sealed, block ${block}`,
    other: `${formatCount(entries)} entries sealed, block ${block}`,
  });
export const chainHint = (head: string) =>
  `Head of the chain. Store it elsewhere, and compare it later: ${head}`;

/** One entry. */
export const panelWidth = 'Width of the entry';
export const entry = 'Entry';
export const closeEntry = 'Close the entry';
export const entryNotRead = 'The entry could not be read';
export const time = 'Time';
export const call = 'Call';
export const address = 'Address';
export const noAddress = 'None: a command or background work';
export const historyId = 'Number';
export const changes = 'Changes';
export const recordThen = 'The record as it was then';
export const recordDeleted = 'The record before it was deleted';
export const openRecord = 'Open the record as it is now';
