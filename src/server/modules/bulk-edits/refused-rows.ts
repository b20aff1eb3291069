import * as texts from '#messages/service/bulk-edit-records.ts';
import { Readable } from 'node:stream';
import type { Database } from '#server/database/database.ts';
import type { RowCell } from '#shared/contract/bulk-edit-answers.ts';
import { csvLine, meaningsOf, toCsvText } from '#shared/rules/spreadsheets.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { visibleRow } from './present-bulk-edit.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';
import { iteratePresentRows } from './planned-fields.ts';

/**
 * The rejected rows of an import as CSV, with the columns of the file, their lines and the reasons. A row whose cells
 * are not stored is left out.
 * @param collection as visible to the user
 */
export function refusedRows(
  database: Database,
  collection: Collection,
  bulkEdit: Pick<StoredBulkEdit, 'id' | 'fields'>,
  separator: ',' | ';',
): Readable {
  return Readable.from(linesOf(database, collection, bulkEdit, separator));
}

async function* linesOf(
  database: Database,
  collection: Collection,
  bulkEdit: Pick<StoredBulkEdit, 'id' | 'fields'>,
  separator: ',' | ';',
): AsyncGenerator<Buffer> {
  const line = (cells: readonly string[]) => `${csvLine(cells.map(toCsvText), separator)}\r\n`;
  let headers: readonly string[] | null = null;
  const rows = iteratePresentRows(database, collection, bulkEdit, ['invalid', 'missing']);
  for await (const row of rows) {
    const { refused, message } = visibleRow(collection, row);
    if (!refused) continue;
    const { cells } = refused;
    if (!headers) {
      headers = cells.map(headerOf);
      // Excel needs the byte order mark to read UTF-8.
      yield Buffer.from(`\ufeff${line([...headers, ...addedHeaders(collection)])}`);
    }
    const shown = cells.map(({ text }) => text);
    yield Buffer.from(line([...shown, String(refused.line ?? ''), message ?? '']));
  }
}

/** In parentheses where a field has such a name or label: a corrected file that is sent again does not change it. */
function addedHeaders({ fields, keywordFields }: Collection): string[] {
  return [texts.rowHeader, texts.reasonHeader].map((header) => {
    const [meaning] = meaningsOf([header], fields, keywordFields);
    return meaning?.kind === 'nothing' ? header : `(${header})`;
  });
}

function headerOf({ header }: RowCell): string {
  return header;
}
