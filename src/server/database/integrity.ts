import type { Database } from './database.ts';

/** What a database offers to check itself. */
export interface IntegrityChecks {
  /**
   * Checks the pages, tables and references of the database, as far as it offers that.
   * @param deep whether indexes are compared with their tables, which takes several times as long
   * @returns what was checked, as the end of a sentence
   */
  checkIntegrity(database: Database, deep: boolean, report: IntegrityReport): Promise<string>;
}

interface IntegrityReport {
  readonly progress: (text: string) => void;
  /**
   * Runs a check, which damage may also end with an error.
   * @param what is checked, the beginning of a sentence about the error
   * @param check returns what it finds, in whole sentences
   */
  readonly attempt: (what: string, check: () => Promise<readonly string[]>) => Promise<void>;
}
