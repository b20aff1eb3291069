import type { Transaction } from '#server/database/database.ts';
import { writeJson, type JsonBytes } from './json-bytes.ts';

type Read<Args extends readonly unknown[], Result> = (
  db: Transaction,
  ...args: Args
) => Promise<Result>;

interface Registered {
  /** @param args those of the read; the compiler has checked them where it was called */
  run(db: Transaction, args: readonly unknown[]): Promise<unknown>;
}

const reads = new Map<string, Registered>();

/**
 * The read that `registerReads` registered under a name. A read worker loads the file that registers it at the first
 * call: what most threads never run takes 13 MB of memory.
 */
export async function loadRead(name: string): Promise<Registered> {
  if (!reads.has(name)) await import(name.slice(0, name.lastIndexOf('#')));
  const read = reads.get(name);
  if (!read) throw new Error(`There is no read ${name}.`);
  return read;
}

/**
 * Registers reads that may be large. In a `read` of a large SQLite database such a read runs in a read worker, on a
 * snapshot that may be newer than that of the `read`; otherwise on the given snapshot or transaction. Arguments and
 * results are plain data. An archive or table is an argument of its own: a thread gets each only once.
 * @param file the URL of the calling file, `import.meta.url`; calls it at its top level
 */
export function registerReads(file: string) {
  // A read worker loads the file by the name.
  const nameOf = ({ name }: { readonly name: string }) => `${file}#${name}`;
  return {
    /** The same function, run in a read worker if there is one. */
    inWorker: <Args extends readonly unknown[], Result>(
      read: Read<Args, Result>,
    ): Read<Args, Result> => {
      const name = nameOf(read);
      reads.set(name, { run: (db, args: Args) => read(db, ...args) });
      return (db, ...args) =>
        db.runInReadWorker ? db.runInReadWorker<Result>(name, args) : read(db, ...args);
    },
    /**
     * Like `inWorker`, for the body of an answer: its JSON is serialized and compressed in the worker. Transferring
     * objects and serializing them here would block the main thread for longer than the rest of a request.
     */
    jsonInWorker: <Args extends readonly unknown[]>(
      read: Read<Args, object>,
    ): Read<[takesGzip: boolean, ...args: Args], string | JsonBytes> => {
      const name = nameOf(read);
      reads.set(name, {
        run: async (db, [takesGzip, ...args]: [boolean, ...Args]) =>
          writeJson(await read(db, ...args), takesGzip),
      });
      return async (db, takesGzip, ...args) =>
        db.runInReadWorker
          ? db.runInReadWorker<JsonBytes>(name, [takesGzip, ...args])
          : JSON.stringify(await read(db, ...args));
    },
  };
}
