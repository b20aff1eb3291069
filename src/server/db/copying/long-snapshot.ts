import type { Database, Db } from '../database.ts';

/** One snapshot of a database over many reads, beside which another database may be written to. */
export interface LongSnapshot {
  use<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

type Job = (db: Db) => Promise<void>;

/** Takes a snapshot of a database. `close` must be called. */
export async function openSnapshot(database: Database): Promise<LongSnapshot> {
  let waiting = Promise.withResolvers<Job | null>();
  let taken: Db | undefined;
  const standing = Promise.withResolvers<void>();
  const over = database.read(async (db) => {
    // A read may be run again after its connection broke: on what is another snapshot.
    if (taken) throw new Error('The connection to the database broke.');
    taken = db;
    standing.resolve();
    for (let job = await waiting.promise; job; job = await waiting.promise) {
      waiting = Promise.withResolvers();
      await job(db);
    }
  });
  over.catch((error: unknown) => standing.reject(error));
  await standing.promise;
  let last: Promise<unknown> = Promise.resolve();
  const use = <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const turn = last.then(async () => {
      const result = Promise.withResolvers<T>();
      waiting.resolve(async (db) => {
        try {
          result.resolve(await work(db));
        } catch (error) {
          result.reject(error);
        }
      });
      // What ends the read ends the wait for it as well.
      return Promise.race([result.promise, over.then(() => result.promise)]);
    });
    last = turn.catch(() => undefined);
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
