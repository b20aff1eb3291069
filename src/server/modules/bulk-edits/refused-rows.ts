import * as texts from '#messages/service/bulk-edit-records.ts';
import type { Database } from '#server/database/database.ts';
import type { Outcome } from '#shared/contract/bulk-edit-answers.ts';
import { meaningsOf } from '#shared/rules/spreadsheet-headers.ts';
import { csvLine, toCsvText } from '#shared/rules/spreadsheets.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { visibleRow } from './present-bulk-edit.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';
import { iterateCurrentRows } from './planned-fields.ts';

/**
 * The rejected rows of an import as CSV, with the columns of the file, their lines and the reasons. Rows whose cells are
 * not stored have only the latter, and do nothing when the file is sent again.
 * @param collection as visible to the user
 */
export async function* refusedRows(
  database: Database,
  collection: Collection,
  bulkEdit: Pick<StoredBulkEdit, 'id' | 'fields'>,
  separator: ',' | ';',
): AsyncGenerator<Buffer> {
  const line = (cells: readonly string[]) => `${csvLine(cells.map(toCsvText), separator)}\r\n`;
  const rows = async function* () {
    for await (const row of iterateCurrentRows(database, collection, bulkEdit, REFUSED_OUTCOMES)) {
      yield visibleRow(collection, bulkEdit, row);
    }
  };
  let headers: readonly string[] = [];
  for await (const { refused } of rows()) {
    headers = (refused?.cells ?? []).map(({ header }) => header);
    if (headers.length > 0) break;
  }
  // Excel needs the byte order mark to read UTF-8.
  yield Buffer.from(`\ufeff${line([...headers, ...addedHeaders(collection)])}`);
  for await (const { refused, message } of rows()) {
    const cells = headers.map((_, at) => refused?.cells[at]?.text ?? '');
    yield Buffer.from(line([...cells, String(refused?.line ?? ''), message ?? '']));
  }
}

const REFUSED_OUTCOMES: readonly Outcome[] = ['invalid', 'missing'];

/** Whether the file of refused rows has added a column with this header. */
export function isAddedHeader(header: string): boolean {
  return ADDED_HEADERS.some((added) => header === added || header === inParentheses(added));
}

const ADDED_HEADERS = [texts.rowHeader, texts.reasonHeader];

/** In parentheses where a field has such a name or label: a corrected file that is sent again does not change it. */
function addedHeaders({ fields, keywordFields }: Collection): string[] {
  return ADDED_HEADERS.map((header) => {
    const [meaning] = meaningsOf([header], fields, keywordFields);
    return meaning?.as === 'nothing' ? header : inParentheses(header);
  });
}

function inParentheses(header: string): string {
  return `(${header})`;
}
