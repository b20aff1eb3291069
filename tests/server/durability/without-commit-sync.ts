/*
 * Loaded before the service by the test of the order of syncs: every connection leaves writing to the disk
 * to the operating system, whatever the service asks for. The test has to notice.
 */
import { syncBuiltinESMExports } from 'node:module';
import sqlite from 'node:sqlite';

class Unsynced extends sqlite.DatabaseSync {
  override exec(sql: string): void {
    super.exec(sql.replace(/synchronous *= *\w+/i, 'synchronous = OFF'));
  }
}

Object.assign(sqlite, { DatabaseSync: Unsynced });
syncBuiltinESMExports();
