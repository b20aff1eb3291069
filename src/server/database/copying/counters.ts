import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { TableShape } from './schema-introspection.ts';

/** The highest number that a table's counter has ever given, also of a row that is deleted; null: none yet. */
export async function readCounter(db: Transaction, shape: TableShape): Promise<number | null> {
  if (shape.counter === null) return null;
  const { rows } =
    db.dialect === 'sqlite'
      ? await sql<Given>`select max(seq) as given from sqlite_sequence where name = ${shape.name}`.execute(
          db.k,
        )
      : await sql<Given>`select case when is_called then last_value end as given
          from ${sql.table(await sequenceOf(db, shape))}`.execute(db.k);
  const given = rows[0]?.given ?? null;
  const found = await sql<Given>`select max(${sql.ref(shape.counter)}) as given
    from ${sql.table(shape.name)}`.execute(db.k);
  const highest = found.rows[0]?.given ?? null;
  // 0 is what SQLite writes where no number was given yet; the first one is 1 anyway.
  return Math.max(given ?? 0, highest ?? 0) || null;
}

/** Lets a table's counter go on behind a number. */
export async function writeCounter(
  db: Transaction,
  shape: TableShape,
  given: number,
): Promise<void> {
  if (db.dialect === 'postgres') {
    await sql`select setval(${await sequenceOf(db, shape)}::regclass, ${given}::bigint, true)`.execute(
      db.k,
    );
    return;
  }
  const { rows } = await sql`select 1 from sqlite_sequence where name = ${shape.name}`.execute(
    db.k,
  );
  await (
    rows.length === 0
      ? sql`insert into sqlite_sequence (name, seq) values (${shape.name}, ${given})`
      : sql`update sqlite_sequence set seq = ${given} where name = ${shape.name}`
  ).execute(db.k);
}

interface Given {
  given: number | null;
}

async function sequenceOf(db: Transaction, { name, counter }: TableShape): Promise<string> {
  const { rows } = await sql<{ sequence: string | null }>`
    select pg_get_serial_sequence(${name}, ${counter}) as sequence`.execute(db.k);
  const sequence = rows[0]?.sequence;
  if (!sequence) throw new Error(`${name} has no counter.`);
  return sequence;
}
