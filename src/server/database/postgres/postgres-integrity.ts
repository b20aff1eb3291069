import * as texts from '#messages/service/database.ts';
import { sql } from 'kysely';
import type { IntegrityChecks } from '../database.ts';

export const INTEGRITY: IntegrityChecks = {
  /** By the functions of amcheck, which the administrator of PostgreSQL may have installed. */
  async checkIntegrity(database, deep, { progress, attempt }) {
    const { amcheck, relations } = await database.read(async ({ k }) => ({
      amcheck: (await AMCHECK.execute(k)).rows[0],
      relations: (await RELATIONS.execute(k)).rows,
    }));
    if (!amcheck?.usable) return texts.integrity.noAmcheck;
    for (const [i, { oid, name, kind }] of relations.entries()) {
      progress(texts.checkingRelation({ value: i + 1, count: relations.length }));
      const relation = sql`${oid}::bigint::oid::regclass`;
      await attempt(texts.relation({ kind, name }), () =>
        database.read(async ({ k }) => {
          if (kind === 'index') {
            const check = sql.id(amcheck.schema, 'bt_index_check');
            await sql`select ${check}(${relation}, ${deep}::boolean)`.execute(k);
            return [];
          }
          const check = sql.id(amcheck.schema, 'verify_heapam');
          const { rows } = await sql<{
            msg: string;
          }>`select msg from ${check}(${relation})`.execute(k);
          return rows.map(({ msg }) => texts.tableProblem({ name, msg }));
        }),
      );
    }
    return deep ? texts.integrity.postgresDeep : texts.integrity.postgres;
  },
};

const AMCHECK = sql<{ schema: string; usable: boolean }>`
  select n.nspname as schema, bool_and(has_function_privilege(p.oid, 'execute')) as usable
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  join pg_proc p on p.pronamespace = n.oid and p.proname in ('bt_index_check', 'verify_heapam')
  where e.extname = 'amcheck' group by n.nspname`;

const RELATIONS = sql<{ oid: number; name: string; kind: 'table' | 'index' }>`
  select c.oid::bigint as oid, c.relname as name,
    case c.relkind when 'r' then 'table' else 'index' end as kind
  from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_am a on a.oid = c.relam
  where c.relnamespace = current_schema()::regnamespace and c.relpersistence = 'p'
    and (c.relkind = 'r' or (c.relkind = 'i' and a.amname = 'btree' and i.indisvalid))
  order by c.relname`;
