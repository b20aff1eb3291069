import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/**
 * Version 18: entries of the history wait in an outbox until they are sequenced (docs/history.md). Triggers add them,
 * except while a copy of an installation is filled, because the copy contains the outbox.
 */
export async function createHistoryOutbox(db: Transaction): Promise<void> {
  const { text, integer, bigint, strictByKey } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('history_outbox')
    .ifNotExists()
    .addColumn('bulk', integer, (column) => column.notNull())
    .addColumn('first_id', bigint, (column) => column.notNull())
    .addColumn('entries', integer, (column) => column.notNull())
    .addColumn('ids', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('history_outbox_key', ['bulk', 'first_id'])
    .modifyEnd(strictByKey)
    .execute();
  await (db.adapter.dialect === 'sqlite' ? onSqlite(db) : onPostgres(db));
}

/** Entries of a load have the call `load NAME`; calls of the interface begin with their method. */
const bulk = (call = 'call') => sql.raw(`case when ${call} like 'load %' then 1 else 0 end`);

async function onSqlite(db: Transaction): Promise<void> {
  await sql`create trigger if not exists history_adds_to_outbox after insert on history
    when new.id > 0 and not exists (select 1 from installation where key = 'copying')
    begin
      insert into history_outbox (bulk, first_id, entries, ids)
        values (${bulk('new.call')}, new.id, 1, '[' || new.id || ']');
    end`.execute(db.k);
  await sql`insert or ignore into history_outbox (bulk, first_id, entries, ids)
    select ${bulk()}, id, 1, '[' || id || ']' from history
    where id > coalesce((select max(last_id) from history_blocks), 0)`.execute(db.k);
  const { rows } = await sql`
    select 1 from pragma_table_info('history_blocks') where name = 'progress'`.execute(db.k);
  if (rows.length > 0) await sql`alter table history_blocks drop column progress`.execute(db.k);
}

async function onPostgres(db: Transaction): Promise<void> {
  await sql`create or replace function add_to_history_outbox() returns trigger language plpgsql as $outbox$
    begin
      if not exists (select from installation where key = 'copying') then
        insert into history_outbox (bulk, first_id, entries, ids)
          select ${bulk()}, min(id), count(*), json_agg(id)::text from appended where id > 0 group by 1;
      end if;
      return null;
    end $outbox$`.execute(db.k);
  // Blocks writes until the end of the migration, so that the next statement misses no entry.
  await sql`create or replace trigger history_adds_to_outbox after insert on history
    referencing new table as appended
    for each statement execute function add_to_history_outbox()`.execute(db.k);
  const counts = await sql<{ isComplete: boolean }>`
    select (select count(*) from history) = (select coalesce(sum(entries), 0) from history_blocks)
      as "isComplete"`.execute(db.k);
  if (counts.rows[0]?.isComplete !== true) {
    await sql`with unsequenced as (
        select id from history where id > 0
        except select value::bigint from history_blocks, json_array_elements_text(ids::json)
      )
      insert into history_outbox (bulk, first_id, entries, ids)
      select ${bulk()}, min(id), count(*), json_agg(id)::text from history join unsequenced using (id)
      group by ${bulk()}, id / 1000
      on conflict do nothing`.execute(db.k);
  }
  // The column by which unsequenced entries were found before.
  await sql`alter table history drop column if exists xid`.execute(db.k);
  await sql`alter table history_blocks drop column if exists progress`.execute(db.k);
}
