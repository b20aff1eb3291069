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
const files = new Set<string>();

/** The read that `registerReads` registered under a name. */
export function findRead(name: string): Registered | undefined {
  return reads.get(name);
}

/** The files that call `registerReads`, as URLs: a read worker loads them. */
export function filesOfReads(): string[] {
  return [...files];
}

/**
 * Registers reads that may be large. In a `read` of a large SQLite database such a read runs in a read worker, on a
 * snapshot that may be newer than that of the `read`; otherwise on the given snapshot or transaction. Arguments and
 * results are plain data. An archive or table is an argument of its own: a thread gets each only once.
 * @param file the URL of the calling file, `import.meta.url`; calls it at its top level
 */
export function registerReads(file: string) {
  files.add(file);
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
