import * as texts from '#messages/service/verification.ts';
import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { keywordTable, tableName } from '#server/database/records/columns.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { DEFINITION_SUBJECT_IDS } from '../definitions/definitions.service.ts';
import { readAllCollections } from '../definitions/stored-definitions.ts';
import { readPurges } from '../purges/purges.service.ts';
import type { VerificationFindings } from './verification-findings.ts';

/** Finds entries and keywords of objects that never existed, which no other check compares. */
export async function checkOrphans(db: Transaction, findings: VerificationFindings): Promise<void> {
  const collections = await readAllCollections(db);
  for (const collection of collections)
    if (collection.kind === 'archive') await checkKeywords(db, collection, findings);
  const purged = (await readPurges(db)).filter(({ names }) => names === null);
  const known = new Set([
    'user 0',
    'group 0',
    'session 0',
    'token 0',
    'system 0',
    'refused 0',
    ...Object.values(DEFINITION_SUBJECT_IDS).map((id) => `definition ${id}`),
    ...collections.map(({ kind, id }) => `${kind} ${id}`),
    ...purged.map(({ kind, collectionId }) => `${kind} ${collectionId}`),
  ]);
  for (const { scope, collectionId } of await readSubjects(db)) {
    if (known.has(`${scope} ${collectionId}`)) continue;
    const strays = await sql<{ first: number; count: number }>`
      select min(id) as first, count(*) as count from history
      where scope = ${scope} and thing_id = ${collectionId}`.execute(db.k);
    for (const { first, count } of strays.rows) {
      findings.add(texts.strayEntries({ first, scope, id: collectionId, count }));
    }
  }
  const { rows } = await sql<{ id: number; row_id: number }>`
    select id, row_id from history where scope in ('session', 'token') and thing_id = 0
      and not exists (select 1 from users where users.id = history.row_id) order by id`.execute(
    db.k,
  );
  for (const { id, row_id } of rows) {
    findings.add(texts.straySession({ id, user: row_id }));
  }
}

async function checkKeywords(
  db: Transaction,
  archive: Collection,
  findings: VerificationFindings,
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
    findings.add(texts.strayKeywords({ archive: archive.name, count, first }));
  }
}

interface Subject {
  readonly scope: string;
  readonly collectionId: number;
}

/** The distinct subjects of entries, with one index seek each. */
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
