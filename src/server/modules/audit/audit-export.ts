import { createHash } from 'node:crypto';
import { createCooperativeYield } from '#server/database/cooperative-yield.ts';
import type { Database } from '#server/database/database.ts';
import { csvLine, toCsvText } from '#shared/rules/spreadsheets.ts';
import {
  canonicalEntry,
  readChanges,
  sequenceNextEntries,
  type ChainedEntry,
} from '../history/history.service.ts';
import { formatHead } from '../verification/verification.service.ts';
import { NO_HEAD, proofFrom } from './audit-proof.ts';
import type { AuditFilter } from './audit-filter.ts';
import { readAuditPageInWorker } from './audit.reads.ts';
import { readByIds, type AuditPage } from './audit.store.ts';
import { presentEntry, purgeOf, readSubjectNames } from './subject-names.ts';

/** Entries that are read together. */
const PAGE = 200;

/** All entries that match a filter, newest first, in pages that are read on demand. */
async function* pagesOf(
  database: Database,
  filter: AuditFilter,
): AsyncGenerator<readonly ChainedEntry[]> {
  const yieldToOthers = createCooperativeYield();
  const readPage = (after: number | null) =>
    database.read((db) => readAuditPageInWorker(db, filter, after, PAGE));
  for (let after: number | null = null; ;) {
    const started = performance.now();
    const page: AuditPage | undefined = await readPage(after);
    if (page) yield page.rows;
    if (!page || page.next === null) return;
    after = page.next;
    await yieldToOthers(performance.now() - started);
  }
}

const HEADERS = [
  'historyId',
  'at',
  'user',
  'kind',
  'subject',
  'action',
  'archive',
  'table',
  'id',
  'call',
  'address',
  'changes',
] as const;

/**
 * The entries as CSV, one line each; `changes` is JSON. Texts that look like formulas are prefixed with an apostrophe.
 */
export async function* exportCsv(database: Database, filter: AuditFilter): AsyncGenerator<Buffer> {
  const names = await database.read(readSubjectNames);
  // Excel needs the byte order mark to read UTF-8.
  yield Buffer.from(`\ufeff${csvLine(HEADERS, ',')}\r\n`);
  for await (const rows of pagesOf(database, filter)) {
    const lines = rows.map((row) => {
      const entry = presentEntry(names, row);
      const changes = JSON.stringify(entry.changes);
      const texts = HEADERS.map((header) =>
        toCsvText(header === 'changes' ? changes : (entry[header] ?? null)),
      );
      return `${csvLine(texts, ',')}\r\n`;
    });
    if (lines.length > 0) yield Buffer.from(lines.join(''));
  }
}

/** Many programs treat U+2028 and U+2029 as line ends. */
const line = (value: unknown) =>
  `${JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)}\n`;

/**
 * The entries as lines of JSON, then the blocks of the chain from the oldest of them to the newest block, then a seal.
 * `scripts/verify-audit-export.js` checks such a file.
 */
export async function* exportJsonl(
  database: Database,
  filter: AuditFilter,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  const digested = (lines: string) => {
    const bytes = Buffer.from(lines);
    digest.update(bytes);
    return bytes;
  };
  const startedAt = new Date().toISOString();
  const names = await database.read(readSubjectNames);
  // So that the most recent changes are in a block.
  await sequenceNextEntries(database);
  let [count, oldest] = [0, Number.POSITIVE_INFINITY];
  const missing = new Set<number>();
  const exported = new Set<number>();
  const toLine = (row: ChainedEntry) => {
    const changes = readChanges(row.changes);
    const hash = row.sha256 === null ? {} : { sha256: row.sha256 };
    return { ...presentEntry(names, row), changes, canonical: canonicalEntry(row), ...hash };
  };
  for await (const rows of pagesOf(database, filter)) {
    const lines = rows.map((row) => {
      oldest = Math.min(oldest, row.id);
      const purge = purgeOf(names, row);
      if (purge) missing.add(purge.id);
      if (row.kind === 'purge') exported.add(row.id);
      return line(toLine(row));
    });
    count += rows.length;
    if (lines.length > 0) yield digested(lines.join(''));
  }
  // Changes may be missing only if a purge proves it, and the filter may exclude the purge.
  const purges = [...missing].filter((id) => !exported.has(id));
  if (purges.length > 0) {
    const rows = await database.read((db) => readByIds(db, purges));
    yield digested(rows.map((row) => line({ purge: toLine(row) })).join(''));
  }
  let head = NO_HEAD;
  for await (const block of proofFrom(database, oldest)) {
    ({ head } = block);
    yield digested(line({ block: block.proof }));
  }
  const seal = { head: formatHead(head), entries: count, filter, startedAt };
  yield Buffer.from(line({ seal: { ...seal, sha256: digest.digest('hex') } }));
}
