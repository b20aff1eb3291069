import { sql } from 'kysely';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Findings } from './findings.ts';

/**
 * Asks the database whether it is sound in itself.
 * @param deep whether indexes are compared with their tables, which takes several times as long
 * @returns what was done, as the end of a sentence
 */
export function checkIntegrity(
  database: Database,
  deep: boolean,
  findings: Findings,
): Promise<string> {
  return !database.adapter.isShared
    ? checkSqlite(database, deep, findings)
    : checkPostgres(database, deep, findings);
}

async function checkSqlite(database: Database, deep: boolean, findings: Findings): Promise<string> {
  const check = deep ? 'integrity_check' : 'quick_check';
  findings.report.progress('The database: pages and tables');
  await tellFailure(findings, 'The database', async () => {
    const lines = await ask<Record<string, string>>(database, sql`pragma ${sql.raw(check)}`);
    for (const line of lines.flatMap((row) => (row[check] ?? '').split('\n'))) {
      if (line !== 'ok' && !line.startsWith('***')) findings.add(`The database: ${line}.`);
    }
  });
  await tellFailure(findings, 'The references of the database', async () => {
    const strays = await ask<{ table: string; rowid: number | null; parent: string }>(
      database,
      sql`pragma foreign_key_check`,
    );
    for (const { table, rowid, parent } of strays) {
      findings.add(`The database: row ${rowid} of ${table} belongs to no row of ${parent}.`);
    }
  });
  return deep
    ? 'its pages, tables, indexes and references were checked'
    : 'its pages, tables and references were checked, its indexes not (--deep)';
}

/** PostgreSQL has no means of its own but the functions of amcheck, which its administrator may have made. */
async function checkPostgres(
  database: Database,
  deep: boolean,
  findings: Findings,
): Promise<string> {
  const [amcheck] = await ask<{ schema: string; usable: boolean }>(
    database,
    sql`select n.nspname as schema, bool_and(has_function_privilege(p.oid, 'execute')) as usable
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      join pg_proc p on p.pronamespace = n.oid and p.proname in ('bt_index_check', 'verify_heapam')
      where e.extname = 'amcheck' group by n.nspname`,
  );
  if (!amcheck?.usable) {
    return 'not checked by its own means, as the extension amcheck is not there for this user';
  }
  const relations = await ask<{ oid: number; name: string; kind: 'table' | 'index' }>(
    database,
    sql`select c.oid::bigint as oid, c.relname as name,
        case c.relkind when 'r' then 'table' else 'index' end as kind
      from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_am a on a.oid = c.relam
      where c.relnamespace = current_schema()::regnamespace and c.relpersistence = 'p'
        and (c.relkind = 'r' or (c.relkind = 'i' and a.amname = 'btree' and i.indisvalid))
      order by c.relname`,
  );
  for (const [i, { oid, name, kind }] of relations.entries()) {
    findings.report.progress(`The database: table or index ${i + 1} of ${relations.length}`);
    await tellFailure(findings, `The database, ${kind} ${name}`, async () => {
      const relation = sql`${oid}::bigint::oid::regclass`;
      if (kind === 'index') {
        const check = sql.id(amcheck.schema, 'bt_index_check');
        await ask(database, sql`select ${check}(${relation}, ${deep}::boolean)`);
        return;
      }
      const check = sql.id(amcheck.schema, 'verify_heapam');
      const problems = await ask<{ msg: string }>(
        database,
        sql`select msg from ${check}(${relation})`,
      );
      for (const { msg } of problems) findings.add(`The database, table ${name}: ${msg}.`);
    });
  }
  return `its tables and indexes were checked by amcheck${deep ? '' : ', not against each other (--deep)'}`;
}

function ask<Row>(database: Database, query: ReturnType<typeof sql>): Promise<Row[]> {
  return database.read(async ({ k }) => (await query.$castTo<Row>().execute(k)).rows);
}

/** What is damaged may also end a check. */
async function tellFailure(
  findings: Findings,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    findings.add(`${what}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** The tables that only grow. */
const PROTECTED = ['history', 'history_blocks'];

/** Looks whether the database still refuses to change and delete entries and blocks of the history. */
export async function checkProtection(db: Transaction, findings: Findings): Promise<void> {
  for (const table of PROTECTED) {
    const texts = (await db.adapter.triggersOf(db, table)).map((text) => text.toLowerCase());
    for (const event of db.adapter.refusableChanges) {
      if (texts.some((text) => text.includes('append-only') && text.includes(event))) continue;
      findings.add(`The database: nothing refuses to ${event} rows of ${table} any more.`);
    }
  }
}
