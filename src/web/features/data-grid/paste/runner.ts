import { CallError, toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import type { Chunk, Journal, LeftRow, PasteJob } from './journal.ts';
import { refusedPlaces } from '../refused-places.ts';
import type { PasteCalls, Written } from './paste.calls.ts';

interface Pasted {
  /** what the grid keeps: cells that cannot be read, rows that were refused */
  readonly left: readonly LeftRow[];
  /** of a paste that was done again: records that were created again, by their former numbers */
  readonly renamed: ReadonlyMap<string, string>;
}

export interface Runner {
  /**
   * Sends what is not at the server yet; a chunk whose answer got lost is sent under the same keys, so the
   * service does it once.
   * @param signal stops after the chunk that is under way
   * @returns what came of it; null where it was stopped
   * @throws {CallError} where the service or the way to it fails; it can be gone on with later
   */
  readonly go: (signal: AbortSignal) => Promise<Pasted | null>;
  /**
   * Takes back what was written, where nobody has changed it since. That can be done again, by `go`.
   * @returns the records that stay as they are, because somebody has
   */
  readonly takeBack: (signal: AbortSignal) => Promise<readonly string[] | null>;
}

/**
 * Carries a paste out by its journal.
 * @param onJob is told how far it is
 */
export function createRunner(
  journal: Journal,
  calls: PasteCalls,
  begun: PasteJob,
  onJob: (job: PasteJob) => void,
): Runner {
  let job = begun;
  const move = (next: Partial<PasteJob>) => {
    job = { ...job, ...next };
    return job;
  };
  const chunkOf = async (number: number): Promise<Chunk> => {
    const chunk = await journal.chunk(job.id, number);
    if (!chunk) throw new Error('The journal of the paste has a gap.');
    return chunk;
  };

  const send = async (start: Chunk): Promise<Chunk> => {
    let chunk = start;
    if (!chunk.sent) await journal.put((chunk = { ...chunk, sent: true }));
    while (!chunk.changed) {
      try {
        const changed =
          chunk.changes.length === 0 ? [] : await calls.change(chunk.changes, chunk.changeKey);
        chunk = { ...chunk, changed };
      } catch (error) {
        const refused = refusedEntries(error, chunk.changes.length);
        chunk = {
          ...chunk,
          changes: chunk.changes.filter((_, i) => !refused.has(i)),
          left: [
            ...chunk.left,
            ...chunk.changes
              .filter((_, i) => refused.has(i))
              .map(({ jrid, values, before }) => ({ jrid, typed: {}, values, before })),
          ],
          changeKey: newIdempotencyKey(),
        };
      }
      await journal.put(chunk);
    }
    while (!chunk.created) {
      try {
        const created =
          chunk.creations.length === 0 ? [] : await calls.create(chunk.creations, chunk.createKey);
        chunk = { ...chunk, created };
      } catch (error) {
        const refused = refusedEntries(error, chunk.creations.length);
        chunk = {
          ...chunk,
          creations: chunk.creations.filter((_, i) => !refused.has(i)),
          ...(chunk.formerly ? { formerly: chunk.formerly.filter((_, i) => !refused.has(i)) } : {}),
          left: [
            ...chunk.left,
            ...chunk.creations
              .filter((_, i) => refused.has(i))
              .map((values) => ({ jrid: null, typed: {}, values, before: {} })),
          ],
          createKey: newIdempotencyKey(),
        };
      }
      await journal.put(chunk);
    }
    return chunk;
  };

  const go = async (signal: AbortSignal) => {
    if (job.is !== 'going') await journal.putJob(move({ is: 'going', at: Date.now() }));
    while (job.chunksDone < job.chunks) {
      if (signal.aborted) return null;
      const chunk = await send(await chunkOf(job.chunksDone));
      await journal.put(
        chunk,
        move({ chunksDone: job.chunksDone + 1, rowsDone: job.rowsDone + chunk.rows }),
      );
      onJob(job);
    }
    const left: LeftRow[] = [];
    const renamed = new Map<string, string>();
    for (let number = 0; number < job.chunks; number++) {
      const chunk = await chunkOf(number);
      left.push(...chunk.left);
      for (const [i, former] of (chunk.formerly ?? []).entries()) {
        const jrid = chunk.created?.[i]?.jrid;
        if (jrid !== undefined) renamed.set(former, jrid);
      }
    }
    return { left, renamed };
  };

  const takeBackChunk = async (chunk: Chunk) => {
    const stay: string[] = [];
    const etags = new Map(chunk.changed?.map(({ jrid, etag }) => [jrid, etag]));
    let changes = chunk.changes.map(({ jrid, before, values }) => ({
      jrid,
      values: Object.fromEntries(Object.keys(values).map((name) => [name, before[name] ?? null])),
      ifMatch: etags.get(jrid) ?? null,
    }));
    const keyFor = (try_: number, what: string) => `${chunk.changeKey}-${what}-${try_}`;
    let restored: readonly Written[] = [];
    for (let tries = 0; changes.length > 0; tries++) {
      try {
        restored = await calls.change(changes, keyFor(tries, 'back'));
        break;
      } catch (error) {
        const refused = refusedEntries(error, changes.length);
        stay.push(...changes.filter((_, i) => refused.has(i)).map(({ jrid }) => jrid));
        changes = changes.filter((_, i) => !refused.has(i));
      }
    }
    let created = await withHistoryIds(chunk.created ?? [], calls);
    for (let tries = 0; created.length > 0; tries++) {
      try {
        await calls.undo(
          created.map(({ historyId }) => historyId),
          keyFor(tries, 'undo'),
        );
        break;
      } catch (error) {
        const refused = refusedEntries(error, created.length);
        stay.push(...created.filter((_, i) => refused.has(i)).map(({ jrid }) => jrid));
        created = created.filter((_, i) => !refused.has(i));
      }
    }
    const versions = new Map(restored.map(({ jrid, etag }) => [jrid, etag]));
    const gone = new Set(created.map(({ jrid }) => jrid));
    const places = [...(chunk.created ?? []).entries()].filter(([, { jrid }]) => gone.has(jrid));
    const again: Chunk = {
      ...chunk,
      changes: chunk.changes.flatMap((change) => {
        const ifMatch = versions.get(change.jrid);
        return ifMatch === undefined ? [] : [{ ...change, ifMatch }];
      }),
      creations: places.flatMap(([i]) => chunk.creations.slice(i, i + 1)),
      formerly: places.map(([, { jrid }]) => jrid),
      // The grid has it already.
      left: [],
      changeKey: newIdempotencyKey(),
      createKey: newIdempotencyKey(),
      sent: false,
      changed: null,
      created: null,
    };
    return { stay, again };
  };

  const takeBack = async (signal: AbortSignal) => {
    if (job.is !== 'back') {
      // Whether a chunk on its way got there is only known by sending it once more.
      const last = await journal.chunk(job.id, job.chunksDone);
      if (last?.sent) {
        const chunk = await send(last);
        const rowsDone = job.rowsDone + chunk.rows;
        await journal.put(chunk, move({ chunksDone: job.chunksDone + 1, rowsDone, is: 'back' }));
      } else await journal.putJob(move({ is: 'back' }));
    }
    const stay: string[] = [];
    while (job.chunksDone > 0) {
      if (signal.aborted) return null;
      const chunk = await chunkOf(job.chunksDone - 1);
      const back = await takeBackChunk(chunk);
      stay.push(...back.stay);
      const rowsDone = Math.max(0, job.rowsDone - chunk.rows);
      await journal.put(back.again, move({ chunksDone: job.chunksDone - 1, rowsDone }));
      onJob(job);
    }
    return stay;
  };

  return { go, takeBack };
}

/** The entries of a batch that the service named as the reason for refusing it. @throws what names none */
function refusedEntries(error: unknown, sent: number): ReadonlySet<number> {
  const refused = [...refusedPlaces(toFailure(error))].filter((place) => place < sent);
  if (refused.length === 0) throw error;
  return new Set(refused);
}

/** How many histories are asked for at the same time. */
const AT_ONCE = 6;

async function withHistoryIds(created: readonly Written[], calls: PasteCalls) {
  const known: { jrid: string; historyId: string }[] = [];
  for (let from = 0; from < created.length; from += AT_ONCE) {
    const found = await Promise.all(
      created.slice(from, from + AT_ONCE).map(async ({ jrid, historyId }) => {
        const id = historyId ?? (await calls.creationOf(jrid).catch(gone));
        return id === null ? [] : [{ jrid, historyId: id }];
      }),
    );
    known.push(...found.flat());
  }
  return known;
}

function gone(error: unknown): null {
  if (error instanceof CallError && error.failure.kind === 'api' && error.failure.status === 404) {
    return null;
  }
  throw error;
}
