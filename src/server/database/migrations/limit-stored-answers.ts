import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import { insertRows } from '../records/bulk-statements.ts';
import type { ColumnValue } from '../records/columns.ts';
import { ANSWER_OVERHEAD, requestDigest } from '../stored-responses.ts';

/** A row of the table that this step replaces. */
interface OldAnswer {
  user_id: number;
  method: string;
  path: string;
  key: string;
  fingerprint: string;
  status: number;
  headers: string;
  body: string | null;
  created_at: number;
}

const COLUMNS = [
  'user_id',
  'request',
  'fingerprint',
  'status',
  'headers',
  'encoding',
  'body',
  'bytes',
  'created_at',
];

/** Rows that are converted at a time; each may hold megabytes. */
const PAGE = 100;

/**
 * Version 15: answers to requests with an idempotency key are found by a digest of the request, query included, and
 * limited per user. Stored answers stay, with the GUID of their path in lower case; of two that differ only by its case
 * one stays.
 */
export async function limitStoredAnswers(db: Transaction): Promise<void> {
  const { text, integer, bigint, strict } = db.adapter.columnTypes;
  const { schema } = db.k;
  await schema
    .createTable('stored_answers')
    .ifNotExists()
    .addColumn('user_id', integer, (column) => column.notNull())
    .addColumn('request', text, (column) => column.notNull())
    .addColumn('fingerprint', text, (column) => column.notNull())
    .addColumn('status', integer, (column) => column.notNull())
    .addColumn('headers', text, (column) => column.notNull())
    .addColumn('encoding', text, (column) => column.notNull())
    .addColumn('body', text)
    .addColumn('bytes', integer, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('stored_answers_key', ['user_id', 'request'])
    .modifyEnd(strict)
    .execute();
  await schema
    .createIndex('stored_answers_created')
    .ifNotExists()
    .on('stored_answers')
    .column('created_at')
    .execute();
  // Contains everything that a user's limit is computed from.
  await schema
    .createIndex('stored_answers_user')
    .ifNotExists()
    .on('stored_answers')
    .columns(['user_id', 'created_at', 'bytes'])
    .execute();
  if (!(await hasTable(db, 'idempotency'))) return;
  const guids = await readGuids(db);
  for (let after: OldAnswer | undefined; ;) {
    const page = await readPage(db, after);
    const rows = new Map<string, ColumnValue[]>();
    for (const old of page) {
      const row = convert(old, guids);
      const id = row.slice(0, 2).join(' ');
      if (!rows.has(id)) rows.set(id, row);
    }
    const known = await findKnown(db, [...rows.values()]);
    await insertRows(
      db,
      'stored_answers',
      COLUMNS,
      [...rows].flatMap(([id, row]) => (known.has(id) ? [] : [row])),
    );
    after = page.at(-1);
    if (page.length < PAGE) break;
  }
  await schema.dropTable('idempotency').execute();
}

async function hasTable(db: Transaction, name: string): Promise<boolean> {
  const { rows } = await (
    db.adapter.dialect === 'sqlite'
      ? sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
      : sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`
  ).execute(db.k);
  return rows.length > 0;
}

/** The GUIDs by archive name, and by themselves, in lower case. */
async function readGuids(db: Transaction): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ guid: string; name_key: string | null }>`
    select guid, name_key from archives union all select guid, null from data_tables`.execute(db.k);
  return new Map(
    rows.flatMap(({ guid, name_key }) => [
      [guid, guid] as const,
      ...(name_key === null ? [] : [[name_key, guid] as const]),
    ]),
  );
}

async function readPage(db: Transaction, after: OldAnswer | undefined): Promise<OldAnswer[]> {
  const behind = after
    ? sql`where (user_id, method, path, key) > (${after.user_id}, ${after.method}, ${after.path}, ${after.key})`
    : sql``;
  const { rows } = await sql<OldAnswer>`
    select user_id, method, path, key, fingerprint, status, headers, body, created_at from idempotency
    ${behind} order by user_id, method, path, key limit ${PAGE}`.execute(db.k);
  return rows;
}

function convert(old: OldAnswer, guids: ReadonlyMap<string, string>): ColumnValue[] {
  const { user_id, method, path, key, headers, body } = old;
  const [, target = ''] = /\/(?:archives|tables)\/([^/]+)/.exec(path) ?? [];
  const guid = guids.get(target.toLowerCase()) ?? null;
  const request = requestDigest({ method, path, guid, query: [], key });
  const bytes = ANSWER_OVERHEAD + headers.length + Buffer.byteLength(body ?? '');
  return [
    user_id,
    request,
    old.fingerprint,
    old.status,
    headers,
    'text',
    body,
    bytes,
    old.created_at,
  ];
}

async function findKnown(
  db: Transaction,
  rows: readonly ColumnValue[][],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const digests = rows.map(([, request]) => String(request));
  const known = await db.k
    .selectFrom('stored_answers')
    .select(['user_id', 'request'])
    .where('request', 'in', digests)
    .execute();
  return new Set(known.map(({ user_id, request }) => `${user_id} ${request}`));
}
