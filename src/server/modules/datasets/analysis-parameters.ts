import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/service/records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { findByName } from '#shared/rules/names.ts';
import type { QueryReader } from '#shared/rules/query-reader.ts';

type Column = Collection['fields'][number];

/** Reads names of columns, separated by commas; each at most once. */
export function readColumns<Name extends string>(
  reader: QueryReader<Name>,
  name: Name,
  collection: Collection,
): Column[] {
  const text = reader.text(name);
  if (text === undefined || text === '') return [];
  return namedColumns(collection, text.split(','), (message) => reader.refuse(name, message));
}

/** Finds columns by their names. */
export function namedColumns(
  collection: Collection,
  names: readonly string[],
  addProblem: (message: Message) => void,
): Column[] {
  const columns: Column[] = [];
  const missing = collection.kind === 'archive' ? texts.noField : texts.noColumn;
  for (const name of names) {
    const column = findByName<Column>(collection.fields, name);
    if (!column) addProblem(missing({ name: name.toWellFormed().slice(0, 100) }));
    else if (columns.includes(column)) addProblem(texts.columnNamedTwice({ name }));
    else columns.push(column);
  }
  return columns;
}
