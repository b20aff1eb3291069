import type { Database, Transaction } from '../database.ts';

/** One snapshot of a database for many reads, while another database may be written to. */
export interface LongSnapshot {
  use<T>(work: (db: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

type Job = (db: Transaction) => Promise<void>;

/** Takes a snapshot of a database. `close` must be called. */
export async function openSnapshot(database: Database): Promise<LongSnapshot> {
  let waiting = Promise.withResolvers<Job | null>();
  let taken: Transaction | undefined;
  const opened = Promise.withResolvers<void>();
  const over = database.read(async (db) => {
    // A read is retried after its connection broke, and would then see another snapshot.
    if (taken) throw new Error('The connection to the database broke.');
    taken = db;
    opened.resolve();
    for (let job = await waiting.promise; job; job = await waiting.promise) {
      waiting = Promise.withResolvers();
      await job(db);
    }
  });
  // Rejects only the current use: with one handler per use, the results of all uses would stay in memory until the end.
  let fail: (error: unknown) => void = (error) => opened.reject(error);
  let broken: { readonly error: unknown } | undefined;
  over.catch((error: unknown) => {
    broken = { error };
    fail(error);
  });
  await opened.promise;
  let last: Promise<unknown> = Promise.resolve();
  const use = <T>(work: (db: Transaction) => Promise<T>): Promise<T> => {
    const turn = last.then(() => {
      if (broken) throw broken.error;
      const result = Promise.withResolvers<T>();
      fail = result.reject;
      waiting.resolve(async (db) => {
        try {
          result.resolve(await work(db));
        } catch (error) {
          result.reject(error);
        }
      });
      return result.promise;
    });
    last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  };
  return {
    use,
    async close() {
      await last;
      waiting.resolve(null);
      await over.catch(() => undefined);
    },
  };
}
