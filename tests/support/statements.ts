import type { Database, Transaction } from '#server/database/database.ts';

/** A statement that was run in a write. */
interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * A database that records the statements of its writes, in their order: for tests of how much work something is, which
 * on every machine is the same.
 */
export function recordStatements(database: Database): {
  readonly database: Database;
  readonly statements: Statement[];
} {
  const statements: Statement[] = [];
  const recording = (db: Transaction): Transaction => ({
    adapter: db.adapter,
    notify: (payload) => db.notify(payload),
    dialect: db.dialect,
    trigram: db.trigram,
    runInReadWorker: db.runInReadWorker,
    kept: db.kept,
    direct:
      db.direct &&
      ((text, parameters) => {
        const rows = db.direct?.(text, parameters);
        if (rows) statements.push({ text, parameters });
        return rows;
      }),
    send:
      db.send &&
      ((text, parameters) => {
        statements.push({ text, parameters });
        db.send?.(text, parameters);
      }),
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
    statements,
    database: {
      adapter: database.adapter,
      listen: (heard) => database.listen(heard),
      read: (work, context) => database.read(work, context),
      write: (work, isolation) => database.write((db) => work(recording(db)), isolation),
      load: () => database.load(),
      close: () => database.close(),
    },
  };
}
