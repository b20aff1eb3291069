import * as texts from '#messages/service/verification.ts';
import type { Database } from '#server/database/database.ts';
import { readAllCollections } from '../definitions/stored-definitions.ts';
import { checkChain } from './chain-check.ts';
import { checkCounts } from './counts-check.ts';
import { checkFiles, type CheckedFiles } from './files-check.ts';
import { VerificationFindings, type VerificationReport } from './verification-findings.ts';
import { formatHead, type Head } from './chain-head.ts';
import { checkIntegrity, checkProtection } from './integrity.ts';
import { checkRecords } from './records-check.ts';
import { checkSessions } from './sessions-check.ts';
import { checkTokens } from './tokens-check.ts';
import { checkOrphans } from './orphans-check.ts';
import { checkSubjects } from './subjects-check.ts';
import { messageOf } from '#server/lib/caught-errors.ts';

export interface VerificationOptions {
  /** whether the contents of files are read and compared by their SHA-256 */
  readonly contents: boolean;
  /** whether the database's indexes are compared with its tables */
  readonly deep: boolean;
  /** a head that was stored elsewhere, which must still be in the chain */
  readonly since: Head | null;
  /** whether the longest parts run in their own threads (`shouldUseThreads`) */
  readonly usesThreads?: boolean;
}

/** The parts of a verification, each with its own snapshot. */
export const PARTS = ['database', 'chain', 'records', 'administration', 'files'] as const;
export type Part = (typeof PARTS)[number];

interface Subject {
  readonly database: Database;
  /** null: for parts without files */
  readonly files: CheckedFiles | null;
  readonly options: VerificationOptions;
}

/**
 * Verifies one part, and reports in a sentence what was done.
 * @returns the number of findings
 */
export async function verifyPart(
  part: Part,
  subject: Subject,
  report: VerificationReport,
): Promise<number> {
  const findings = new VerificationFindings(report);
  const started = performance.now();
  let done: string = texts.parts[part];
  try {
    done = await WORK[part](subject, findings);
  } catch (error) {
    // Damage may end one part; the others may find more.
    const message = messageOf(error);
    findings.add(texts.notVerified[part](message));
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  report.info(texts.result({ part: done, findings: findings.count, seconds }));
  return findings.count;
}

/** @returns what was done, as the beginning of a sentence */
type Work = (subject: Subject, findings: VerificationFindings) => Promise<string>;

const WORK: Readonly<Record<Part, Work>> = {
  database: async ({ database, options }, findings) => {
    await database.read((db) => checkProtection(db, findings));
    await database.read((db) => checkCounts(db, findings));
    return texts.done.database(await checkIntegrity(database, options.deep, findings));
  },
  chain: ({ database, options: { since } }, findings) =>
    database.read(async (db) => {
      const { blocks, entries, unsequenced } = await checkChain(db, since, findings);
      const done = since
        ? texts.done.chainSince({ entries, blocks, head: formatHead(since) })
        : texts.done.chain({ entries, blocks });
      return unsequenced > 0 ? done + texts.unsealed(unsequenced) : done;
    }),
  records: async ({ database }, findings) => {
    const compared = { records: 0, entries: 0 };
    await database.read(async (db) => {
      for (const collection of await readAllCollections(db)) {
        await checkRecords(db, collection, findings, compared);
      }
    });
    return texts.done.records(compared);
  },
  administration: ({ database }, findings) =>
    database.read(async (db) => {
      const subjects = await checkSubjects(db, findings);
      const sessions = await checkSessions(db, findings);
      await checkTokens(db, findings);
      await checkOrphans(db, findings);
      return texts.done.administration({ subjects, sessions });
    }),
  files: ({ database, files, options }, findings) =>
    database.read(async (db) => {
      const count = files ? await checkFiles(db, files, options.contents, findings) : 0;
      const read = options.contents || files?.compared === true;
      return read ? texts.done.filesRead(count) : texts.done.filesFound(count);
    }),
};
