import { keywordTable, tableName, valueColumn } from '#server/database/records/columns.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fold, searchText } from '#shared/values/fold.ts';
import { recordValues } from '../data/records.ts';
import { revisionValues } from '../data/revisions.ts';
import type { RawJob } from './raw-job.ts';

type Unit = RawJob['units'][number];

const HISTORY = `insert into history
  (at, user_id, username, address, call, scope, thing_id, row_id, version, kind, changes)
  values (?, 1, 'floor', '127.0.0.1', 'the call', ?, ?, cast(? as integer), 2, ?, ?)`;

/** The text that is searched for in a record of usual values, with one of them new. */
function searchTextOf(values: Readonly<Record<string, unknown>>, added: string): string {
  const texts = Object.values(values).filter((value) => typeof value === 'string');
  return searchText([...texts, added]);
}

const ADDED = 'asked again, number {n}';

/**
 * What changing one text of a record takes, as the service must do it at least: its row is read and written with its
 * indexes, its search text is replaced and noted for the full-text index, which follows later, and its history gets an entry.
 * @param field the name of a text field
 * @param row which; `{id}` is any
 */
export function changeOne(collection: Collection, field: string, row: string): Unit {
  const number = collection.fields.find(({ name }) => name === field);
  if (!number) throw new Error(`There is no field ${field}.`);
  const column = valueColumn(number);
  const values = collection.kind === 'archive' ? revisionValues(4711) : recordValues(4711);
  const text = searchTextOf(values, ADDED);
  const changes = JSON.stringify([{ name: field, before: 'something before', after: ADDED }]);
  return [
    {
      sql: `select * from ${tableName(collection)} where _id = cast(? as integer)`,
      parameters: [row],
    },
    ...(collection.kind === 'archive'
      ? [
          {
            sql: `select * from ${keywordTable(collection)} where _id = cast(? as integer)`,
            parameters: [row],
          },
        ]
      : []),
    {
      sql: `update ${tableName(collection)} set _version = _version + 1, _changed_at = ?, _changed_by = 'floor',
        _changed_by_fold = 'floor', _search = ?, ${column} = ?, ${column}_fold = ? where _id = cast(? as integer)`,
      parameters: [Date.now(), text, ADDED, ADDED, row],
    },
    {
      sql: `insert or ignore into search_due (scope, thing_id, row_id) values (?, ?, cast(? as integer))`,
      parameters: [collection.kind, collection.id, row],
    },
    {
      sql: HISTORY,
      parameters: [Date.now(), collection.kind, collection.id, row, 'change', changes],
    },
  ];
}

/** What creating one record of a table takes, likewise. */
export function createOne(collection: Collection): Unit {
  const values = recordValues(4711);
  const columns: string[] = [];
  const parameters: (string | number | null)[] = [];
  for (const field of collection.fields) {
    const value = values[field.name] ?? null;
    columns.push(valueColumn(field));
    parameters.push(typeof value === 'boolean' ? Number(value) : value);
    if (field.type === 'text') {
      columns.push(`${valueColumn(field)}_fold`);
      parameters.push(value === null ? null : fold(String(value)));
    } else if (field.type === 'datetime') {
      columns.push(`${valueColumn(field)}_at`);
      parameters.push(Date.now());
    }
  }
  const text = searchTextOf(values, 'n-{n}');
  const table = tableName(collection);
  const changes = Object.entries(values).map(([name, after]) => ({ name, before: null, after }));
  return [
    {
      sql: `insert into ${table} (_version, _created_at, _changed_at, _changed_by, _changed_by_fold, _search, ${columns.join(', ')})
        values (1, ?, ?, 'floor', 'floor', ?, ${columns.map(() => '?').join(', ')})`,
      parameters: [Date.now(), Date.now(), text, ...parameters],
    },
    {
      sql: `insert or ignore into search_due (scope, thing_id, row_id) select ?, ?, max(_id) from ${table}`,
      parameters: [collection.kind, collection.id],
    },
    {
      sql: HISTORY,
      parameters: [
        Date.now(),
        collection.kind,
        collection.id,
        '{id}',
        'create',
        JSON.stringify(changes),
      ],
    },
  ];
}
