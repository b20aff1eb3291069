import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';
import { plural } from '../language.ts';
export const fileBytes = coded(
  'http.fileBytes',
  ({ count }: { count: number }) => `The file has ${count} bytes.`,
);
export const rightMissing = coded('http.rightMissing', 'You do not have the right to do this.');
export const rightsChanged = coded(
  'http.rightsChanged',
  'Your rights were changed meanwhile. Start again.',
);
export const administratorsOnly = coded(
  'http.administratorsOnly',
  'Only administrators may do this.',
);
export const viewIsReadOnly = coded(
  'http.viewIsReadOnly',
  'You see as another user, so nothing can be changed. End this view first.',
);
export const viewedUserDisabled = coded(
  'http.viewedUserDisabled',
  'The user whose view you see is disabled. End this view.',
);
export const passwordChangeRequired = coded(
  'http.passwordChangeRequired',
  'Your password was generated. Choose a password of your own first.',
);
export const notByToken = coded(
  'http.notByToken',
  'This token does not open this call. Sign in with your user name and password.',
);
export const tokenInvalid = coded(
  'http.tokenInvalid',
  'The token is unknown, expired or revoked. Get a new one.',
);
export const noArchive = coded('http.noArchive', 'There is no archive with this name or GUID.');
export const noTable = coded('http.noTable', 'There is no table with this GUID.');
export const bodyTooSlow = coded(
  'http.bodyTooSlow',
  ({ seconds }: { seconds: number }) => `The body did not arrive within ${seconds} seconds.`,
);
export const mediaTypeNotAccepted = coded(
  'http.mediaTypeNotAccepted',
  ({ mediaType }: { mediaType: string }) => `The body must be sent as ${mediaType}.`,
);
export const charsetNotAccepted = coded('http.charsetNotAccepted', 'The body must be in UTF-8.');
export const bodyCompressed = coded('http.bodyCompressed', 'The body must not be compressed.');
export const fieldTwice = coded('http.fieldTwice', 'A field of the form is sent more than once.');
export const bodyNotUtf8 = coded('http.bodyNotUtf8', 'The body is not UTF-8.');
export const bodyHoldsTooMuch = coded(
  'http.bodyHoldsTooMuch',
  ({ reason }: { reason: string }) => `The body is too complex. ${reason}`,
);
export const bodyNotJson = coded(
  'http.bodyNotJson',
  ({ reason }: { reason: string }) => `The body is not JSON. ${reason}`,
);
export const bodyIncomplete = coded(
  'http.bodyIncomplete',
  'The body of the request is incomplete.',
);
export const bodyTooLong = coded(
  'http.bodyTooLong',
  ({ max }: { max: number }) => `The body may have at most ${formatCount(max)} bytes.`,
);
export const contentTypeUnknown = coded(
  'http.contentTypeUnknown',
  'The Content-Type of the body is not supported here.',
);
export const bodyTooLarge = coded('http.bodyTooLarge', 'The body is too large.');
export const nothingHere = coded('http.nothingHere', 'There is nothing at this address.');
export const requestNotUnderstood = coded(
  'http.requestNotUnderstood',
  'The request cannot be understood.',
);
export const internalError = coded(
  'http.internalError',
  'Something went wrong in the service. The request had no effect.',
);
export const notHttp = coded('http.notHttp', 'The request is not valid HTTP.');
export const headersTooLong = coded(
  'http.headersTooLong',
  'The address or the headers of the request are too long.',
);
export const chunkExtensionsTooLong = coded(
  'http.chunkExtensionsTooLong',
  'The chunk extensions of the body are too long.',
);
export const requestTooSlow = coded(
  'http.requestTooSlow',
  'The request did not arrive completely in time.',
);
export const noHost = coded('http.noHost', 'The request has no Host header.');
export const severalHosts = coded(
  'http.severalHosts',
  'The request has more than one Host header.',
);
export const formNeeded = coded('http.formNeeded', 'A form is needed.');
export const partNameInvalid = coded(
  'http.partNameInvalid',
  'A part of the form has no name, or too long a name.',
);
export const tooManyFiles = coded(
  'http.tooManyFiles',
  ({ max }: { max: number }) => `A form may have at most ${max} files.`,
);
export const fieldNotUtf8 = coded('http.fieldNotUtf8', 'A field of the form is not UTF-8.');
export const fileNameMissing = coded('http.fileNameMissing', 'The file has no name.');
export const fileTooLong = coded(
  'http.fileTooLong',
  ({ max }: { max: number }) => `A file may have at most ${formatCount(max)} bytes.`,
);
export const fileInfected = coded(
  'http.fileInfected',
  ({ name, finding }: { name: string; finding: string }) =>
    `The file “${name}” contains malware (${finding}), so nothing was saved. Do not open it; tell the administrator.`,
);
export const fileNotScannable = coded(
  'http.fileNotScannable',
  ({ name }: { name: string }) =>
    `The file “${name}” is larger than the malware scanner accepts, so nothing was saved. Ask the administrator to raise the limit of the scanner.`,
);
export const scannerFails = coded(
  'http.scannerFails',
  'Files cannot be checked for malware at the moment, so nothing was saved. Try again later; if it lasts, tell the administrator.',
);
export const tooManyParts = coded(
  'http.tooManyParts',
  ({ max }: { max: number }) => `A form may have at most ${max} parts.`,
);
export const formIncomplete = coded(
  'http.formIncomplete',
  'The body is not a complete multipart form.',
);
export const idempotencyKeyTooLong = coded(
  'http.idempotencyKeyTooLong',
  ({ max }: { max: number }) => `The Idempotency-Key may have at most ${max} characters.`,
);
export const idempotencyKeyUsed = coded(
  'http.idempotencyKeyUsed',
  'This Idempotency-Key was already used with another body.',
);
export const answerNotRepeatable = coded(
  'http.answerNotRepeatable',
  'This request was carried out before, and nothing was done again. Its answer cannot be repeated, because the fields have changed since: read the records instead.',
);
export const bodyNeeded = coded('http.bodyNeeded', 'A body is needed.');
export const overloaded = coded(
  'http.overloaded',
  ({ seconds }: { seconds: number }) =>
    `The service is overloaded at the moment. Nothing was saved. Try again in ${seconds} s.`,
);
export const connectionClosed = coded(
  'http.connectionClosed',
  'The client has closed the connection.',
);
export const metricsForbidden = coded(
  'http.metricsForbidden',
  'Clients at this address may not read the metrics.',
);
export const queryNotUtf8 = coded(
  'http.queryNotUtf8',
  'The query string is not percent-encoded UTF-8.',
);
export const crossSite = coded('http.crossSite', 'The request comes from a page of another site.');
export const signInFirst = coded('http.signInFirst', 'Sign in first.');
export const otherSession = coded(
  'http.otherSession',
  'This change was made in a session that is no longer active in this browser. Nothing was changed. Sign in again, and repeat the change.',
);
export const moreErrors = coded('http.moreErrors', 'There are more errors of this kind.');
export const noBodyExpected = coded('http.noBodyExpected', 'This call has no body.');
export const unknownVersion = coded(
  'http.unknownVersion',
  'The interface is served only in version v2.',
);
export const methodNotAllowed = coded(
  'http.methodNotAllowed',
  ({ method }: { method: string }) => `${method} is not possible at this address.`,
);
export const webAdminNotBuilt = coded(
  'http.webAdminNotBuilt',
  'The web admin is not built: only the REST interface is served. Run “npm run build” and start the service again, or start it with “npm start”. For another language than English, set INDEXDESK_WEB_LANGUAGE for the build.',
);
export const fileChanged = coded('http.fileChanged', 'The file does not have the requested ETag.');
export const noSuchRange = coded(
  'http.noSuchRange',
  'The file does not contain the requested range.',
);
export const storedAnswerGone = coded(
  'http.storedAnswerGone',
  'The stored answer has expired. Send the request again.',
);
export const readTooLong = coded(
  'http.readTooLong',
  ({ seconds }: { seconds: number }) =>
    `Reading took longer than ${seconds} s and was cancelled. Narrow the filter, or try again later.`,
);
export const databaseBusy = coded('http.databaseBusy', 'The database is busy. Nothing was saved.');
export const databaseUnreachable = coded(
  'http.databaseUnreachable',
  'The database cannot be reached. Nothing was saved.',
);

/** A value of the wrong kind in a body. `place` is its place in the body, such as `revisions[0].values`. */
export const bodyMustBe = coded(
  'http.bodyMustBe',
  ({ expected }: { expected: string }) => `The body must be ${kindInWords(expected)}.`,
);
export const mustBe = coded(
  'http.mustBe',
  ({ place, expected }: { place: string; expected: string }) =>
    `“${place}” must be ${kindInWords(expected)}.`,
);
export const bodyMustBeOneOf = coded(
  'http.bodyMustBeOneOf',
  ({ values }: { values: readonly string[] }) => `The body must be ${values.join(' or ')}.`,
);
export const mustBeOneOf = coded(
  'http.mustBeOneOf',
  ({ place, values }: { place: string; values: readonly string[] }) =>
    `“${place}” must be ${values.join(' or ')}.`,
);
export const bodyHasUnknownKey = coded(
  'http.bodyHasUnknownKey',
  ({ key, known }: { key: string; known: string }) =>
    `In the body, the key “${key}” is not known.${known && ` The keys here are: ${known}.`}`,
);
export const unknownKey = coded(
  'http.unknownKey',
  ({ place, key, known }: { place: string; key: string; known: string }) =>
    `In “${place}”: the key “${key}” is not known.${known && ` The keys here are: ${known}.`}`,
);
export const bodyLacksKey = coded(
  'http.bodyLacksKey',
  ({ key }: { key: string }) => `In the body, the key “${key}” is missing.`,
);
export const keyMissing = coded(
  'http.keyMissing',
  ({ place, key }: { place: string; key: string }) => `In “${place}”: the key “${key}” is missing.`,
);
export const bodyNeedsOneKey = coded(
  'http.bodyNeedsOneKey',
  ({ keys }: { keys: readonly string[] }) =>
    `In the body, one of the keys ${keys.map((key) => `“${key}”`).join(' and ')} is needed.`,
);
export const oneKeyNeeded = coded(
  'http.oneKeyNeeded',
  ({ place, keys }: { place: string; keys: readonly string[] }) =>
    `In “${place}”: one of the keys ${keys.map((key) => `“${key}”`).join(' and ')} is needed.`,
);
/** `problem` is a text of the subject `requests`. */
export const problemOfBody = coded(
  'http.problemOfBody',
  ({ problem }: { problem: string }) => problem,
);
export const problemAt = coded(
  'http.problemAt',
  ({ place, problem }: { place: string; problem: string }) => `In “${place}”: ${problem}`,
);
export const formInvalid = 'It does not have the required form.';
/** @param of as zod names it: of texts and lists the size is limited, else the value */
export const tooSmall = ({ of, limit }: { of: string; limit: number }) =>
  isCounted(of) ? `It needs at least ${sizeInWords(of, limit)}.` : `It must be at least ${limit}.`;
export const tooLarge = ({ of, limit }: { of: string; limit: number }) =>
  isCounted(of) ? `It has more than ${sizeInWords(of, limit)}.` : `It must be at most ${limit}.`;
const isCounted = (of: string) => of === 'string' || of === 'array' || of === 'set';
const sizeInWords = (of: string, count: number) =>
  of === 'string'
    ? plural(count, { one: 'one character', other: `${formatCount(count)} characters` })
    : plural(count, { one: 'one entry', other: `${formatCount(count)} entries` });
export const bodyHasTooManyEntries = coded(
  'http.bodyHasTooManyEntries',
  ({ max }: { max: number }) => `The body has more than ${max} entries.`,
);
export const tooManyEntries = coded(
  'http.tooManyEntries',
  ({ place, max }: { place: string; max: number }) => `“${place}” has more than ${max} entries.`,
);

/** What a schema expects (`issue.expected` of zod), as a part of a sentence. */
export function kindInWords(expected: string): string {
  return Object.hasOwn(KINDS, expected) ? String(KINDS[expected]) : `of the type ${expected}`;
}

const KINDS: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** why a process cannot accept requests, for the administrator */
export const notReady = {
  stopping: 'the service is being stopped',
  noAnswer: 'the database does not answer',
  otherVersion: 'the database is of another version',
  standby: 'the database is a standby and takes no writes',
  unreadable: 'the database cannot be read',
};
