/*
 * Loaded before the service by the test of the order of syncs: every connection leaves writing to the disk
 * to the operating system, whatever the service asks for. The test has to notice.
 */
import { DatabaseSync } from 'node:sqlite';

const exec: (this: DatabaseSync, sql: string) => void = Reflect.get(DatabaseSync.prototype, 'exec');

DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql.replace(/synchronous *= *\w+/i, 'synchronous = OFF'));
};
