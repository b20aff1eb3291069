import * as checks from '#messages/checks.ts';
import * as edits from '#messages/edits.ts';
import * as accessTokens from '#messages/service/access-tokens.ts';
import * as accounts from '#messages/service/accounts.ts';
import * as audit from '#messages/service/audit.ts';
import * as bulkEdits from '#messages/service/bulk-edits.ts';
import * as definitions from '#messages/service/definitions.ts';
import * as events from '#messages/service/events.ts';
import * as factors from '#messages/service/factors.ts';
import * as fileAnalysis from '#messages/service/file-analysis.ts';
import * as http from '#messages/service/http.ts';
import * as lists from '#messages/service/lists.ts';
import * as merges from '#messages/service/merges.ts';
import * as oidc from '#messages/service/oidc.ts';
import * as people from '#messages/service/people.ts';
import * as records from '#messages/service/records.ts';
import * as spreadsheets from '#messages/service/spreadsheets.ts';
import * as storageErrors from '#messages/service/storage-errors.ts';
import * as system from '#messages/service/system.ts';
import * as valueCleanup from '#messages/service/value-cleanup.ts';
import * as workspace from '#messages/service/workspace.ts';
import * as values from '#messages/values.ts';

/** The subjects whose messages are sent with a code, by the first part of the code. */
const SUBJECTS: Readonly<Record<string, object>> = {
  accessTokens,
  accounts,
  audit,
  bulkEdits,
  checks,
  definitions,
  edits,
  events,
  factors,
  'file-analysis': fileAnalysis,
  http,
  lists,
  merges,
  oidc,
  people,
  records,
  spreadsheets,
  storageErrors,
  system,
  valueCleanup,
  values,
  workspace,
};

/**
 * The text of a message in the language of this program.
 * @param code `SUBJECT.NAME`, as the service sent it
 * @param params as the service sent them
 * @returns undefined if the catalogue has no such message
 */
export function wordMessage(
  code: string,
  params: Readonly<Record<string, unknown>>,
): string | undefined {
  const [subject = '', name = ''] = code.split('.');
  const texts = Object.hasOwn(SUBJECTS, subject) ? SUBJECTS[subject] : undefined;
  const entry: unknown = texts && Object.hasOwn(texts, name) ? Reflect.get(texts, name) : undefined;
  const message: unknown =
    typeof entry === 'function' ? Reflect.apply(entry, undefined, [params]) : entry;
  return isMessage(message) ? message.message : undefined;
}

function isMessage(value: unknown): value is { readonly message: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'message' in value &&
    typeof value.message === 'string'
  );
}
