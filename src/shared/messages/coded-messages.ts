import * as checks from '#messages/checks.ts';
import * as edits from '#messages/edits.ts';
import * as accounts from '#messages/service/accounts.ts';
import * as bulkEdits from '#messages/service/bulk-edits.ts';
import * as events from '#messages/service/events.ts';
import * as fileAnalysis from '#messages/service/file-analysis.ts';
import * as http from '#messages/service/http.ts';
import * as lists from '#messages/service/lists.ts';
import * as records from '#messages/service/records.ts';
import * as spreadsheets from '#messages/service/spreadsheets.ts';
import * as storageErrors from '#messages/service/storage-errors.ts';
import * as workspace from '#messages/service/workspace.ts';
import * as values from '#messages/values.ts';

/** The subjects whose messages are sent with a code, by the first part of the code. */
const SUBJECTS: Readonly<Record<string, object>> = {
  accounts,
  'file-analysis': fileAnalysis,
  bulkEdits,
  checks,
  edits,
  events,
  http,
  lists,
  records,
  spreadsheets,
  storageErrors,
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
