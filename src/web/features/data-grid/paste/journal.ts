import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Scalar } from '#shared/values/values.ts';
import { userCipher } from '#web/api/storage-key.ts';
import { removeUnencrypted } from '#web/api/unencrypted-database.ts';
import type { Encrypted, UserCipher } from '#web/api/user-cipher.ts';
import type { StepCell } from '../undo/steps.ts';
import type { Refusal } from '../problems/refused-places.ts';
import type { LeftCell } from '../undo/who-changed.ts';
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
   * `back`: it is being undone, from the last chunk on; `done`: it can be undone; `undone`: it can be done
   * again
   */
  readonly is: 'going' | 'back' | 'done' | 'undone';
  /** rows that were to be pasted, where the clerk has left it at those that were */
  readonly stoppedOf?: number;
  /** what was not undone */
  readonly stay?: Staying;
}

/** A place that stays as it is now, as it was edited after the paste. */
export interface Stays {
  readonly jrid: string;
  /** null: the record as a whole */
  readonly column: string | null;
}

/** All that stays, and who has changed the first of it. */
export interface Staying {
  readonly count: number;
  readonly cells: readonly LeftCell[];
}

/** A change, and what stood there before. */
export interface JournalChange extends SentChange {
  readonly before: Values;
}

/** A record that is to go again, by what its history tells of it. */
export interface Removal {
  readonly jrid: string;
  readonly historyIds: readonly string[];
}

/** How far a chunk is undone. */
export interface Back {
  /** what is to be sent next, each change with what was pasted and the version that still holds it */
  readonly changes: readonly JournalChange[];
  readonly removals: readonly Removal[];
  /** idempotency key of what is sent next */
  readonly key: string;
  /** what is back, in the versions that have it */
  readonly restored: readonly JournalChange[];
  readonly removed: readonly string[];
  readonly stays: readonly Stays[];
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
  /** why the service did not create it */
  readonly refusal?: Refusal;
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
  /** of one that is redone: the numbers that its records had before, in the order of `creations` */
  readonly formerly?: readonly string[];
  /** what the server answered, in the order of `changes` and `creations`; null: not yet */
  readonly changed: readonly Written[] | null;
  readonly created: readonly Written[] | null;
  /** while it is undone */
  readonly back?: Back;
}

/** A job as the browser stores it, with what it is looked for by. */
interface StoredJob extends Pick<PasteJob, 'id' | 'username' | 'guid' | 'at' | 'is'> {
  readonly content: Encrypted<PasteJob>;
}

interface StoredChunk {
  readonly job: string;
  readonly number: number;
  readonly content: Encrypted<Chunk>;
}

/** What a paste has left in the grid. */
interface StoredCells {
  readonly job: string;
  readonly number: typeof CELLS;
  readonly cells: Encrypted<readonly StepCell[]>;
}

interface PasteSchema extends DBSchema {
  jobs: { key: string; value: StoredJob };
  chunks: { key: [job: string, number: number]; value: StoredChunk | StoredCells };
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
  /** Writes down that a paste is done or undone, and keeps no more of it than turning it around needs. */
  readonly rest: (job: PasteJob) => Promise<void>;
  /** Forgets the pastes at rest of a user into a table that no step of undo leads to. */
  readonly prune: (username: string, guid: string, steps: ReadonlySet<string>) => Promise<void>;
  /** Keeps what a paste has left in the grid, so that it is turned around with it. */
  readonly keepCells: (job: string, cells: readonly StepCell[]) => Promise<void>;
  readonly cells: (job: string) => Promise<readonly StepCell[]>;
  /** Names records that were created again by their new numbers in what can be redone. */
  readonly rename: (job: PasteJob, renamed: ReadonlyMap<string, string>) => Promise<void>;
}

/** The number under which a job has what it left in the grid: before its chunks. */
const CELLS = -1;

/** Milliseconds for which another tab may not have written down its step of undo yet. */
const STEP_WRITTEN_WITHIN = 60_000;

/** Pastes in IndexedDB, encrypted for their user and compressed. */
export function pasteJournal(cipher: UserCipher = userCipher): Journal {
  let opened: Promise<IDBPDatabase<PasteSchema>> | undefined;
  const openAnew = async () => {
    // Pastes that an earlier version left unfinished cannot be resumed; what of them was sent is at the service.
    await removeUnencrypted('indexdesk-pastes', () => Promise.resolve());
    return openDB<PasteSchema>('indexdesk-encrypted-pastes', 1, {
      upgrade: (database) => {
        database.createObjectStore('jobs', { keyPath: 'id' });
        database.createObjectStore('chunks', { keyPath: ['job', 'number'] });
      },
      // The browser may close it, for example when the clerk clears what it keeps.
      terminated: () => (opened = undefined),
    });
  };
  const open = () => (opened ??= openAnew());
  const chunksOf = (job: string) => IDBKeyRange.bound([job], [job, []]);
  /** whose pastes are, by their ids */
  const users = new Map<string, string>();
  const userOf = async (id: string) => {
    const username = users.get(id) ?? (await (await open()).get('jobs', id))?.username;
    if (username === undefined) throw new Error(`There is no paste ${id}.`);
    users.set(id, username);
    return username;
  };
  const encryptedJob = async (job: PasteJob): Promise<StoredJob> => {
    const { id, username, guid, at, is } = job;
    users.set(id, username);
    return { id, username, guid, at, is, content: await cipher.encrypt(username, job) };
  };
  const decryptedJob = ({ username, content }: StoredJob) => cipher.decrypt(username, content);
  const encryptedChunk = async (chunk: Chunk): Promise<StoredChunk> => {
    const { job, number } = chunk;
    return { job, number, content: await cipher.encrypt(await userOf(job), chunk, true) };
  };
  const putChunk = async (chunk: Chunk) => {
    const stored = await encryptedChunk(chunk);
    await (await open()).put('chunks', stored);
  };
  const putJob = async (job: PasteJob) => {
    const stored = await encryptedJob(job);
    await (await open()).put('jobs', stored);
  };
  const forget = async ({ id }: Pick<PasteJob, 'id'>) => {
    const transaction = (await open()).transaction(['jobs', 'chunks'], 'readwrite');
    await Promise.all([
      transaction.objectStore('jobs').delete(id),
      transaction.objectStore('chunks').delete(chunksOf(id)),
      transaction.done,
    ]);
  };
  const chunk = async (job: string, number: number) => {
    const found = await (await open()).get('chunks', [job, number]);
    if (!found || 'cells' in found) return undefined;
    return cipher.decrypt(await userOf(job), found.content);
  };
  return {
    async begin(job, chunks) {
      users.set(job.id, job.username);
      // The job is written last: chunks without one are none.
      for (const chunk of chunks) await putChunk(chunk);
      await putJob(job);
    },
    async unfinished(username, guid) {
      const jobs = await (await open()).getAll('jobs');
      const own = jobs.filter(
        (job) => job.username === username && job.guid === guid && !isAtRest(job.is),
      );
      return (await Promise.all(own.map(decryptedJob))).toSorted((a, b) => a.at - b.at);
    },
    async job(id) {
      const found = await (await open()).get('jobs', id);
      return found && decryptedJob(found);
    },
    chunk,
    async put(chunk, job) {
      const storedChunk = await encryptedChunk(chunk);
      const storedJob = job && (await encryptedJob(job));
      const transaction = (await open()).transaction(['jobs', 'chunks'], 'readwrite');
      await Promise.all([
        transaction.objectStore('chunks').put(storedChunk),
        ...(storedJob ? [transaction.objectStore('jobs').put(storedJob)] : []),
        transaction.done,
      ]);
    },
    putJob,
    forget,
    async rest(job) {
      const database = await open();
      // Those behind the last one were never sent.
      await database.delete('chunks', IDBKeyRange.bound([job.id, job.chunks], [job.id, []]));
      for (let number = 0; number < job.chunks; number++) {
        const found = await chunk(job.id, number);
        // The grid has what is left.
        if (found) await putChunk({ ...found, left: [] });
      }
      await putJob(job);
    },
    async keepCells(job, cells) {
      if (cells.length === 0) return;
      const stored = await cipher.encrypt(await userOf(job), cells, true);
      await (await open()).put('chunks', { job, number: CELLS, cells: stored });
    },
    async cells(job) {
      const found = await (await open()).get('chunks', [job, CELLS]);
      return found && 'cells' in found ? cipher.decrypt(await userOf(job), found.cells) : [];
    },
    async prune(username, guid, steps) {
      for (const job of await (await open()).getAll('jobs')) {
        const own = job.username === username && job.guid === guid && isAtRest(job.is);
        const old = Date.now() - job.at > STEP_WRITTEN_WITHIN;
        if (own && old && !steps.has(job.id)) await forget(job);
      }
    },
    async rename({ username, guid }, renamed) {
      const now = (jrid: string) => renamed.get(jrid) ?? jrid;
      for (const job of await (await open()).getAll('jobs')) {
        if (job.is !== 'undone' || job.username !== username || job.guid !== guid) continue;
        const { chunks } = await decryptedJob(job);
        for (let number = 0; number < chunks; number++) {
          const found = await chunk(job.id, number);
          if (!found) continue;
          const changes = found.changes.map((change) => ({
            ...change,
            jrid: now(change.jrid),
            // The record's versions begin anew.
            ...(renamed.has(change.jrid) ? { ifMatch: null } : {}),
          }));
          await putChunk({ ...found, changes });
        }
      }
    },
  };
}

function isAtRest(is: PasteJob['is']): boolean {
  return is === 'done' || is === 'undone';
}
