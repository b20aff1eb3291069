/** What `verify` reports: a line for each part, and its findings. */
import { formatCount } from '#shared/messages/format.ts';
import { plural } from '../language.ts';
import * as counts from './counts.ts';

interface Named {
  readonly kind: 'archive' | 'table';
  readonly name: string;
}

export const collection = ({ kind, name }: Named) =>
  kind === 'archive' ? `Archive ${name}` : `Table ${name}`;
export const record = ({ kind, name, id }: Named & { id: number }) =>
  kind === 'archive' ? `Archive ${name}, revision ${id}` : `Table ${name}, dataset ${id}`;
/** `name` is that of a user, in quotes, or the id. */
export const user = (name: string) => `User ${name}`;
export const group = (name: string) => `Group ${name}`;
export const definition = ({ kind, id }: { kind: 'archive' | 'table'; id: number }) =>
  kind === 'archive' ? `The definition of archive ${id}` : `The definition of table ${id}`;
/** a place in the history of a subject, which is one of the texts above */
export const inHistory = ({ subject, id }: { subject: string; id: number }) =>
  `${subject}, history ${id}`;
export const chainBlock = (number: number) => `Chain, block ${number}`;
export const chainEntry = (id: number) => `Chain, history ${id}`;
export const blockEntry = (of: { number: number; id: number; position: number }) =>
  `Chain, block ${of.number}, history ${of.id}, position ${of.position}`;
export const file = ({ id, name }: { id: number; name: string }) => `File ${id}, ${name}`;
/** a finding: its subject and its problem, which are texts of this file */
export const finding = ({ subject, problem }: { subject: string; problem: string }) =>
  `${subject}: ${problem}.`;
export const moreFindings = 'Further findings are only counted.';

/** Results of the parts. */
export const done = {
  database: (integrity: string) => `Database: ${integrity}`,
  chain: ({ entries, blocks }: Chain) =>
    `Chain: ${counts.entries(entries)} in ${counts.blocks(blocks)} recomputed`,
  chainSince: ({ entries, blocks, head }: Chain & { head: string }) =>
    `Chain: ${counts.entries(entries)} in ${counts.blocks(blocks)} recomputed, and the head ${head} searched for`,
  records: ({ records, entries }: { records: number; entries: number }) =>
    `Records: ${counts.records(records)} compared with ${counts.entries(entries)}`,
  administration: ({ subjects, sessions }: { subjects: number; sessions: number }) =>
    plural(subjects, {
      one: `Administration: 1 definition or user and ${counts.sessions(sessions)} compared`,
      other: `Administration: ${formatCount(subjects)} definitions and users and ${counts.sessions(sessions)} compared`,
    }),
  filesRead: (count: number) => `Files: ${counts.files(count)} read and compared`,
  filesFound: (count: number) => `Files: ${counts.files(count)} looked for, not read (--contents)`,
};
interface Chain {
  readonly entries: number;
  readonly blocks: number;
}
/** behind the result of the chain */
export const unsealed = (entries: number) =>
  `; the newest ${counts.entries(entries)} not sealed yet`;
export const parts = {
  database: 'The database',
  chain: 'The chain',
  records: 'The records',
  administration: 'The administration',
  files: 'The files',
};
export const notVerified = {
  database: (reason: string) => `The database could not be verified to the end: ${reason}.`,
  chain: (reason: string) => `The chain could not be verified to the end: ${reason}.`,
  records: (reason: string) => `The records could not be verified to the end: ${reason}.`,
  administration: (reason: string) =>
    `The administration could not be verified to the end: ${reason}.`,
  files: (reason: string) => `The files could not be verified to the end: ${reason}.`,
};
/** `part` names the verified part, `seconds` has a decimal point */
export const result = (of: { part: string; findings: number; seconds: string }) =>
  of.findings === 0
    ? `${of.part}: no findings (${of.seconds} s).`
    : `${of.part}: ${counts.findings(of.findings)} (${of.seconds} s).`;
export const progress = {
  files: (count: number) => `Files: ${counts.files(count)}`,
  chain: (entries: number) => `Chain: ${counts.entries(entries)}`,
  collection: ({ entries, ...named }: Named & { entries: number }) =>
    `${collection(named)}: ${counts.entries(entries)} in all`,
};

/** Problems of records, users and definitions. */
export const isMissing = 'it is missing';
export const isMissingSince = (entry: Entry) => `it is missing; ${newestEntry(entry)}`;
export const notInHistory = 'it exists, but not in the history';
export const deletedSince = (entry: Entry) =>
  `it exists, but was deleted in the history; ${newestEntry(entry)}`;
export const differsSince = ({ problem, ...entry }: Entry & { problem: string }) =>
  `${problem}; ${newestEntry(entry)}`;
interface Entry {
  readonly id: number;
  readonly username: string;
}
const newestEntry = ({ id, username }: Entry) => `the newest entry is history ${id} of ${username}`;
export const differs = (of: { name: string; stored: string; replayed: string }) =>
  `${of.name} is ${of.stored}, but ${of.replayed} in the history`;
export const contradicts = (of: { name: string; before: string; known: string }) =>
  `${of.name} was ${of.before} before, and ${of.known} after the entries before it`;
/** `kind` is that of an entry of the history, such as `delete` */
export const ofNothing = (kind: string) =>
  `its entry of the kind ${kind} changes what does not exist`;
export const createdTwice = (kind: string) =>
  `its entry of the kind ${kind} creates what already exists`;
export const versionWrong = ({ version, before }: { version: number; before: number }) =>
  `its version is ${version} after ${before}`;
export const unknownName = (name: string) => `it names ${name}, which is not in the definition`;
export const signInNameWrong = (key: string) => `the name for sign-in is ${key}`;
export const totalWrong = ({ total, stored }: { total: number; stored: number }) =>
  `its total is ${counts.records(total)}, but ${stored} are stored`;

export const strayEntries = (of: { first: number; scope: string; id: number; count: number }) =>
  `History ${of.first}: it is about ${of.scope} ${of.id}, which never existed (${counts.entries(of.count)}).`;
export const straySession = ({ id, user }: { id: number; user: number }) =>
  `History ${id}: it is about a session of user ${user}, who never existed.`;
export const strayKeywords = (of: { archive: string; count: number; first: number | null }) =>
  `Archive ${of.archive}: ${counts.keywords(of.count)} of no revision or no keyword field, the first of revision ${of.first}.`;
export const sessionEnded = ({ id, user }: { id: string; user: number }) =>
  `Session ${id} of user ${user}: it exists, but was ended in the history.`;
export const tokenRevoked = ({ id, user }: { id: string; user: number }) =>
  `Token ${id} of user ${user}: it exists, but was revoked in the history.`;
export const tokenUnknown = ({ id, user }: { id: string; user: number }) =>
  `Token ${id} of user ${user}: it exists, but not in the history.`;
export const tokenDiffers = ({ id, user, name }: { id: string; user: number; name: string }) =>
  `Token ${id} of user ${user}: ${name} was changed after its creation.`;
export const sessionUnknown = ({ id, user }: { id: string; user: number }) =>
  `Session ${id} of user ${user}: it exists, but not in the history.`;
export const notProtected = {
  update: (table: string) => `The database: the protection of ${table} against updates is missing.`,
  delete: (table: string) =>
    `The database: the protection of ${table} against deletions is missing.`,
  truncate: (table: string) =>
    `The database: the protection of ${table} against truncation is missing.`,
};

/** Problems of files. */
export const contentMissing = (location: string) => `its content ${location} is missing`;
export const contentSize = (of: { location: string; found: number; size: number }) =>
  `its content ${of.location} has ${of.found} bytes and not ${of.size}`;
export const contentChanged = (location: string) => `its content ${location} was changed`;
export const contentUnreadable = ({ location, reason }: { location: string; reason: string }) =>
  `its content ${location} cannot be read (${reason})`;

/** Problems of the chain of the history. */
export const blockMissing = (number: number) =>
  `it follows block ${number}; the blocks between are missing`;
export const positionWrong = ({ first, expected }: { first: number; expected: number }) =>
  `it begins at position ${first}, not at ${expected}`;
export const endWrong = ({ said, last }: { said: number; last: number }) =>
  `its end is stored as history ${said}, not ${last}`;
export const listUnreadable = 'its list of entries cannot be read';
export const inEarlierBlock = 'an earlier block contains it too';
export const hashWrong = 'its hash does not match its entries and the block before it';
export const entryBlank = 'its changes are missing, and no purge covers it';
export const purgedAltered = 'entries that it did not delete were changed after it';
export const entryAltered = 'the entry was altered';
export const entryRemoved = 'the entry was removed';
export const entryInserted = 'the entry was inserted: no block contains it';
export const headGone = (head: string) => `the head ${head} is missing`;
export const headRewritten = ({ now, was }: { now: string; was: string }) =>
  `it is ${now}, but was ${was}; this or an earlier block was rewritten`;
export const blocksRemoved = ({ last, appended }: { last: number; appended: number }) =>
  `Chain: it ends with block ${last}, but had blocks up to ${appended}.`;
