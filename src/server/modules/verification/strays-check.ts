import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { keywordTable, tableName } from '#server/database/records/columns.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { DEFINITIONS_OF, readAllCollections } from '../definitions/definitions.service.ts';
import { counted } from '#server/report-texts.ts';
import type { Findings } from './findings.ts';

/** Looks for entries and keywords of what never existed, which no other check compares with anything. */
export async function checkStrays(db: Transaction, findings: Findings): Promise<void> {
  const collections = await readAllCollections(db);
  for (const collection of collections)
    if (collection.kind === 'archive') await checkKeywords(db, collection, findings);
  const known = new Set([
    'user 0',
    'session 0',
    ...Object.values(DEFINITIONS_OF).map((id) => `definition ${id}`),
    ...collections.map(({ kind, id }) => `${kind} ${id}`),
  ]);
  for (const { scope, collectionId } of await readSubjects(db)) {
    if (known.has(`${scope} ${collectionId}`)) continue;
    const strays = await sql<{ first: number; count: number }>`
      select min(id) as first, count(*) as count from history
      where scope = ${scope} and thing_id = ${collectionId}`.execute(db.k);
    for (const { first, count } of strays.rows) {
      findings.add(
        `History ${first}: it is about ${scope} ${collectionId}, which has never been there ` +
          `(${counted(count, 'entry', 'entries')}).`,
      );
    }
  }
  const { rows } = await sql<{ id: number; row_id: number }>`
    select id, row_id from history where scope = 'session' and thing_id = 0
      and not exists (select 1 from users where users.id = history.row_id) order by id`.execute(
    db.k,
  );
  for (const { id, row_id } of rows) {
    findings.add(
      `History ${id}: it is about a session of user ${row_id}, who has never been there.`,
    );
  }
}

async function checkKeywords(
  db: Transaction,
  archive: Collection,
  findings: Findings,
): Promise<void> {
  const numbers = archive.keywordFields.map(({ number }) => sql.lit(number));
  const known = numbers.length > 0 ? sql`field in (${sql.join(numbers)})` : sql`1 = 0`;
  const { rows } = await sql<{ first: number | null; count: number }>`
    select min(_id) as first, count(*) as count from ${sql.table(keywordTable(archive))} as keyword
    where not (${known}) or not exists (
      select 1 from ${sql.table(tableName(archive))} as record where record._id = keyword._id)`.execute(
    db.k,
  );
  for (const { first, count } of rows) {
    if (count === 0) continue;
    findings.add(
      `Archive ${archive.name}: ${counted(count, 'keyword', 'keywords')} of no revision or no keyword field, ` +
        `the first of revision ${first}.`,
    );
  }
}

interface Subject {
  readonly scope: string;
  readonly collectionId: number;
}

/** What entries are about, each once: one seek in the index for each. */
async function readSubjects(db: Transaction): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (;;) {
    const last = subjects.at(-1);
    const after = last
      ? sql`where (scope, thing_id) > (${last.scope}, ${last.collectionId})`
      : sql``;
    const { rows } = await sql<Subject>`
      select scope, thing_id as "collectionId" from history ${after}
      order by scope, thing_id limit 1`.execute(db.k);
    const [next] = rows;
    if (!next) return subjects;
    subjects.push(next);
  }
}
