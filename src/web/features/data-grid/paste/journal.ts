import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Scalar } from '#shared/values.ts';
import type { SentChange, Written } from './paste.calls.ts';

type Values = Readonly<Record<string, Scalar>>;

/** A paste too large to go at once. */
export interface PasteJob {
  readonly id: string;
  readonly username: string;
  readonly guid: string;
  /** when it was begun, in milliseconds since 1970 */
  readonly at: number;
  readonly rows: number;
  readonly rowsDone: number;
  readonly chunks: number;
  /** those that are at the server, from the first on */
  readonly chunksDone: number;
  /**
   * `back`: it is being taken back, from the last chunk on; `done`: it can be taken back; `undone`: it can be done
   * again
   */
  readonly is: 'going' | 'back' | 'done' | 'undone';
}

/** A change, and what stood there before. */
interface JournalChange extends SentChange {
  readonly before: Values;
}

/** What does not go to the server: cells that cannot be read, rows that it refused. */
export interface LeftRow {
  /** null: a row that is to be created */
  readonly jrid: string | null;
  /** cells as they stood in the clipboard */
  readonly typed: Readonly<Record<string, string>>;
  /** why they are no values, in the words of the preview; a journal of before has none */
  readonly objections?: Readonly<Record<string, string>>;
  readonly values: Values;
  readonly before: Values;
}

/** Some hundred rows of a paste that go at once. What is sent is fixed here before it is. */
export interface Chunk {
  readonly job: string;
  readonly number: number;
  readonly rows: number;
  readonly changes: readonly JournalChange[];
  readonly creations: readonly Values[];
  readonly left: readonly LeftRow[];
  /** idempotency keys */
  readonly changeKey: string;
  readonly createKey: string;
  /** whether it may be at the server; its answers may have got lost */
  readonly sent: boolean;
  /** of one that is done again: the numbers that its records had before, in the order of `creations` */
  readonly formerly?: readonly string[];
  /** what the server answered, in the order of `changes` and `creations`; null: not yet */
  readonly changed: readonly Written[] | null;
  readonly created: readonly Written[] | null;
}

interface PasteSchema extends DBSchema {
  jobs: { key: string; value: PasteJob };
  chunks: { key: [job: string, number: number]; value: Chunk };
}

/** Pastes in IndexedDB, opened when it is first needed. All its promises reject where the browser keeps nothing. */
export interface Journal {
  readonly begin: (job: PasteJob, chunks: Iterable<Chunk>) => Promise<void>;
  /** the unfinished pastes of a user into a table, oldest first */
  readonly unfinished: (username: string, guid: string) => Promise<readonly PasteJob[]>;
  readonly job: (id: string) => Promise<PasteJob | undefined>;
  readonly chunk: (job: string, number: number) => Promise<Chunk | undefined>;
  readonly put: (chunk: Chunk, job?: PasteJob) => Promise<void>;
  readonly putJob: (job: PasteJob) => Promise<void>;
  readonly forget: (job: PasteJob) => Promise<void>;
  /** Names records that were created again by their new numbers in what can be done again. */
  readonly rename: (job: PasteJob, renamed: ReadonlyMap<string, string>) => Promise<void>;
}

/** Pastes of a table that can still be taken back or done again. */
const KEPT_DONE = 10;

export function pasteJournal(): Journal {
  let opened: Promise<IDBPDatabase<PasteSchema>> | undefined;
  const open = () => {
    opened ??= openDB<PasteSchema>('indexdesk-pastes', 1, {
      upgrade: (database) => {
        database.createObjectStore('jobs', { keyPath: 'id' });
        database.createObjectStore('chunks', { keyPath: ['job', 'number'] });
      },
      // The browser may close it, for example when the clerk clears what it keeps.
      terminated: () => (opened = undefined),
    });
    return opened;
  };
  const chunksOf = (job: string) => IDBKeyRange.bound([job], [job, []]);
  const forget = async ({ id }: PasteJob) => {
    const transaction = (await open()).transaction(['jobs', 'chunks'], 'readwrite');
    await Promise.all([
      transaction.objectStore('jobs').delete(id),
      transaction.objectStore('chunks').delete(chunksOf(id)),
      transaction.done,
    ]);
  };
  return {
    async begin(job, chunks) {
      const database = await open();
      const done = (await database.getAll('jobs'))
        .filter(({ is, username, guid }) => {
          return isAtRest(is) && username === job.username && guid === job.guid;
        })
        .toSorted((a, b) => b.at - a.at);
      for (const old of done.slice(KEPT_DONE)) await forget(old);
      // The job is written last: chunks without one are none.
      for (const chunk of chunks) await database.put('chunks', chunk);
      await database.put('jobs', job);
    },
    async unfinished(username, guid) {
      const jobs = await (await open()).getAll('jobs');
      return jobs
        .filter((job) => job.username === username && job.guid === guid && !isAtRest(job.is))
        .toSorted((a, b) => a.at - b.at);
    },
    job: async (id) => (await open()).get('jobs', id),
    chunk: async (job, number) => (await open()).get('chunks', [job, number]),
    async put(chunk, job) {
      const transaction = (await open()).transaction(['jobs', 'chunks'], 'readwrite');
      await Promise.all([
        transaction.objectStore('chunks').put(chunk),
        ...(job ? [transaction.objectStore('jobs').put(job)] : []),
        transaction.done,
      ]);
    },
    async putJob(job) {
      await (await open()).put('jobs', job);
    },
    forget,
    async rename({ username, guid }, renamed) {
      const database = await open();
      const now = (jrid: string) => renamed.get(jrid) ?? jrid;
      for (const job of await database.getAll('jobs')) {
        if (job.is !== 'undone' || job.username !== username || job.guid !== guid) continue;
        const transaction = database.transaction('chunks', 'readwrite');
        for await (const cursor of transaction.store.iterate(chunksOf(job.id))) {
          const changes = cursor.value.changes.map((change) => ({
            ...change,
            jrid: now(change.jrid),
            // The record's versions begin anew.
            ...(renamed.has(change.jrid) ? { ifMatch: null } : {}),
          }));
          await cursor.update({ ...cursor.value, changes });
        }
        await transaction.done;
      }
    },
  };
}

function isAtRest(is: PasteJob['is']): boolean {
  return is === 'done' || is === 'undone';
}
