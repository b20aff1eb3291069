import type { Database } from '#server/db/database.ts';
import { readDefinitions } from '../definitions/definitions.service.ts';
import type { FileStore } from '../files/file-store.ts';
import { checkFiles } from './files-check.ts';
import { counted, Findings, type VerificationReport } from './findings.ts';
import { checkIntegrity, checkProtection } from './integrity.ts';
import { checkRecords } from './records-check.ts';
import { checkSessions } from './sessions-check.ts';
import { checkSubjects } from './subjects-check.ts';

export type { VerificationReport } from './findings.ts';

export interface VerificationOptions {
  /** whether the contents of files are read and compared by their SHA-256 */
  readonly contents: boolean;
  /** whether the database's indexes are compared with its tables */
  readonly deep: boolean;
}

/**
 * Checks that the database is sound, that nobody has changed the history past the service, and that records, users,
 * definitions and files are what the history says. Each part is one snapshot, so that it may run while the service
 * works; pages of it are in memory at a time.
 * @returns how many findings were told
 */
export async function verify(
  database: Database,
  files: FileStore,
  options: VerificationOptions,
  report: VerificationReport,
): Promise<number> {
  const findings = new Findings(report);
  const part = async (work: () => Promise<string>) => {
    const started = performance.now();
    const before = findings.count;
    const done = await work();
    const found = findings.count - before;
    const result = found === 0 ? 'nothing found' : counted(found, 'finding', 'findings');
    report.say(`${done}: ${result} (${((performance.now() - started) / 1_000).toFixed(1)} s).`);
  };

  await part(async () => `Database: ${await checkIntegrity(database, options.deep, findings)}`);
  await part(() =>
    database.read(async (db) => {
      await checkProtection(db, findings);
      const { archives, tables } = await readDefinitions(db);
      const total = { records: 0, entries: 0 };
      for (const thing of [...archives, ...tables]) {
        const { records, entries } = await checkRecords(db, thing, findings);
        total.records += records;
        total.entries += entries;
      }
      const records = counted(total.records, 'record', 'records');
      return `Records: ${records} compared with ${counted(total.entries, 'entry', 'entries')}`;
    }),
  );
  await part(() =>
    database.read(async (db) => {
      const subjects = await checkSubjects(db, findings);
      const sessions = await checkSessions(db, findings);
      const what = counted(subjects, 'definition or user', 'definitions and users');
      return `Administration: ${what} and ${counted(sessions, 'session', 'sessions')} compared`;
    }),
  );
  await part(() =>
    database.read(async (db) => {
      const count = await checkFiles(db, files, options.contents, findings);
      const how = options.contents
        ? 'read and compared'
        : 'looked for, their contents not read (--contents)';
      return `Files: ${counted(count, 'file', 'files')} ${how}`;
    }),
  );
  return findings.count;
}
