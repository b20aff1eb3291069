import { sql } from 'kysely';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import type { CachedStatement, Database, Transaction } from '#server/database/database.ts';

/** A statement that was run. */
interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * A database that records the statements of its writes, in their order, and those of its reads but for background work: for
 * tests of how much work something is, which on every machine is the same.
 */
export function recordStatements(database: Database): {
  readonly database: Database;
  readonly statements: Statement[];
  readonly reads: Statement[];
} {
  const writes: Statement[] = [];
  const reads: Statement[] = [];
  const recording = (db: Transaction, statements: Statement[]): Transaction => ({
    adapter: db.adapter,
    isWrite: db.isWrite,
    startedAt: db.startedAt,
    notify: (payload) => db.notify(payload),
    runInReadWorker: db.runInReadWorker,
    lists: db.lists,
    run(statement, parameters) {
      statements.push({ text: textOf(db, statement), parameters });
      return db.run(statement, parameters);
    },
    send(statement, parameters) {
      statements.push({ text: textOf(db, statement), parameters });
      return db.send(statement, parameters);
    },
    k: db.k.withPlugin({
      transformQuery({ node, queryId }) {
        const { sql: text, parameters } = db.k.getExecutor().compileQuery(node, queryId);
        statements.push({ text, parameters });
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    }),
  });
  return {
    statements: writes,
    reads,
    database: wrapDatabase(database, {
      read: (work, context) =>
        database.read((db) => work(context?.isBackground ? db : recording(db, reads)), context),
      write: (work, options) => database.write((db) => work(recording(db, writes)), options),
    }),
  };
}

const RAW = {};

/** A statement of known text, with the database's own placeholders. */
export function rawStatement(text: string): CachedStatement {
  return { owner: RAW, name: text, build: () => sql.raw(text) };
}

function textOf(db: Transaction, { build }: CachedStatement): string {
  return build().compile(db.k).sql;
}
