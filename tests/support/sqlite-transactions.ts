import { DatabaseSync, StatementSync } from 'node:sqlite';
import { vi } from 'vitest';

/** A transaction on SQLite's one writing connection, which other writes wait for. */
export interface WriteTransaction {
  /** statements, without BEGIN and COMMIT */
  readonly statements: number;
  /** inserted, updated and deleted rows */
  readonly rows: number;
}

/**
 * Records the transactions of the writing connection, and which of their statements read a whole table. It replaces
 * methods of node:sqlite, which `vi.restoreAllMocks` restores; start it before the database is opened.
 */
export function recordWrites() {
  const writers = new WeakSet<DatabaseSync>();
  const owners = new WeakMap<StatementSync, DatabaseSync>();
  const planned = new Set<string>();
  const scans = new Map<string, string>();
  let transactions: WriteTransaction[] = [];
  let current = { statements: 0, rows: 0 };
  const { prepare } = DatabaseSync.prototype;
  const { all, run, iterate } = StatementSync.prototype;

  const rowsOf = (database: DatabaseSync, sql: string) => prepare.apply(database, [sql]).all();
  const rowsChanged = (database: DatabaseSync) => {
    const [row] = rowsOf(database, 'select total_changes() as count');
    return Number(row?.['count']);
  };
  const note = (statement: StatementSync) => {
    const database = owners.get(statement);
    if (!database || !writers.has(database)) return;
    const sql = statement.sourceSQL;
    if (/^begin/i.test(sql)) current = { statements: 0, rows: rowsChanged(database) };
    else if (/^commit/i.test(sql)) {
      const rows = rowsChanged(database) - current.rows;
      transactions.push({ statements: current.statements, rows });
    } else if (database.isTransaction) {
      current.statements += 1;
      if (planned.has(sql)) return;
      planned.add(sql);
      const details = rowsOf(database, `explain query plan ${sql}`).map(({ detail }) =>
        String(detail),
      );
      // With a limit, an index or the key gives the order, and the first rows alone are read.
      const isCut = /limit \?\s*$/i.test(sql) && !details.some((one) => one.includes('B-TREE'));
      for (const detail of isCut ? [] : details) {
        const [, scanned] = /^SCAN (\w+)(?!\w| VIRTUAL)/.exec(detail) ?? [];
        if (scanned !== undefined) scans.set(sql, scanned);
      }
    }
  };
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    ...given: Parameters<typeof prepare>
  ) {
    const statement = prepare.apply(this, given);
    owners.set(statement, this);
    if (/^begin immediate/i.test(given[0])) writers.add(this);
    return statement;
  });
  vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (
    this: StatementSync,
    ...given: Parameters<typeof all>
  ) {
    note(this);
    return all.apply(this, given);
  });
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
    this: StatementSync,
    ...given: Parameters<typeof run>
  ) {
    note(this);
    return run.apply(this, given);
  });
  vi.spyOn(StatementSync.prototype, 'iterate').mockImplementation(function (
    this: StatementSync,
    ...given: Parameters<typeof iterate>
  ) {
    note(this);
    return iterate.apply(this, given);
  });

  return {
    /** Forgets what was recorded. */
    restart(): void {
      transactions = [];
      scans.clear();
      planned.clear();
    },
    transactions: (): readonly WriteTransaction[] => transactions,
    /** The statements that read a whole table, each with the table or its alias. */
    scans: (): ReadonlyMap<string, string> => scans,
  };
}
