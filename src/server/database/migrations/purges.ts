import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/**
 * What purges need: history entries whose changes were removed keep the SHA-256 by which the chain refers to them,
 * stored answers name their archive or table, and files whose bytes are being removed are not reused.
 */
export async function preparePurges(db: Transaction): Promise<void> {
  const { text, integer, strictByKey } = db.adapter.columnTypes;
  const { schema } = db.k;
  const columns = await db.adapter.tableColumns(db);
  const known = new Set(columns.map(({ table, column }) => `${table} ${column}`));
  for (const [table, column, type] of [
    ['history', 'sha256', text],
    ['stored_answers', 'scope', text],
    ['stored_answers', 'thing_id', integer],
  ] as const) {
    if (known.has(`${table} ${column}`)) continue;
    await schema.alterTable(table).addColumn(column, type).execute();
  }
  await schema
    .createTable('file_removals')
    .ifNotExists()
    .addColumn('location', text, (column) => column.primaryKey().notNull())
    .addColumn('job_id', integer, (column) => column.notNull())
    .addColumn('is_done', integer, (column) => column.notNull())
    .modifyEnd(strictByKey)
    .execute();
  await schema.createIndex('files_location').ifNotExists().on('files').column('location').execute();
  await (db.adapter.dialect === 'sqlite' ? allowPurgesOnSqlite(db) : allowPurgesOnPostgres(db));
}

/** The columns of a history entry that a purge never changes. */
const UNCHANGED = [
  ...(['id', 'at', 'user_id', 'username', 'address', 'call'] as const),
  ...(['scope', 'thing_id', 'row_id', 'version', 'kind'] as const),
];

const columnsOf = (row: 'old' | 'new') => sql.join(UNCHANGED.map((column) => sql.id(row, column)));

/** Whether an update belongs to a running purge: it removes changes, and keeps or stores the SHA-256. */
const isOfPurge = sql`new.sha256 is not null and (old.sha256 is null or old.sha256 = new.sha256)
  and exists (select 1 from definition_jobs where kind = 'purge' and phase = 'blank' and state = 'running'
    and scope = old.scope and thing_id = old.thing_id)`;

async function allowPurgesOnSqlite(db: Transaction): Promise<void> {
  await sql`drop trigger if exists history_keeps_entries`.execute(db.k);
  await sql`create trigger history_keeps_entries before update on history
    when not ((${columnsOf('new')}) is (${columnsOf('old')}) and ${isOfPurge})
    begin select raise(abort, 'history is append-only'); end`.execute(db.k);
}

async function allowPurgesOnPostgres(db: Transaction): Promise<void> {
  await sql`create or replace function history_refuses_changes() returns trigger language plpgsql as $purge$
    begin
      if tg_op = 'UPDATE' then
        if (${columnsOf('new')}) is not distinct from (${columnsOf('old')}) and ${isOfPurge} then
          return new;
        end if;
      end if;
      raise exception 'history is append-only';
    end $purge$`.execute(db.k);
  await sql`create or replace trigger history_keeps_entries before update or delete on history
    for each row execute function history_refuses_changes()`.execute(db.k);
}
