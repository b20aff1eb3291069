import { newIdempotencyKey } from '#web/api/request.ts';
import { retryWhileUnavailable } from '../edit-store/retry-while-unavailable.ts';
import type { Chunk, Journal, LeftRow, PasteJob, Staying, Stays } from './journal.ts';
import type { PasteCalls } from './paste.calls.ts';
import { named, refusedEntries, revertChunk } from './revert-paste.ts';

/** What came of a paste. */
export interface Pasted {
  /** what the grid keeps: cells that cannot be read, rows that were refused */
  readonly left: readonly LeftRow[];
  /** of a paste that was redone: records that were created again, by their former numbers */
  readonly renamed: ReadonlyMap<string, string>;
}

export interface Runner {
  /**
   * Sends what is not at the server yet; a chunk whose answer got lost is sent under the same keys, so the
   * service does it once. Waits for as long as the server is away.
   * @param signal stops after the chunk that is under way, or where it waits
   * @returns what came of it; null where it was stopped
   * @throws {CallError} where the service fails; it can be gone on with later
   */
  readonly go: (signal: AbortSignal) => Promise<Pasted | null>;
  /**
   * Undoes what was written and still stands there. That can be redone, by `go`.
   * @returns what was edited since and stays, also by the clerk
   */
  readonly takeBack: (signal: AbortSignal) => Promise<Staying | null>;
  /**
   * Leaves it at the chunks that were sent and are not undone: they are the whole paste then. One whose answer
   * got lost is among them.
   */
  readonly leaveAt: () => Promise<{ readonly job: PasteJob; readonly pasted: Pasted }>;
}

/** Of as many it is looked up who has changed them. */
const NAMED = 100;

const NOTHING_STAYS: Staying = { count: 0, cells: [] };

/** Waits for a server that is away; the default of runners. */
type Reach = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * Carries a paste out by its journal.
 * @param onJob is told how far it is
 */
export function createRunner(
  journal: Journal,
  calls: PasteCalls,
  begun: PasteJob,
  onJob: (job: PasteJob) => void,
  reach: Reach = retryWhileUnavailable,
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

  const send = async (start: Chunk, signal: AbortSignal): Promise<Chunk> => {
    let chunk = start;
    if (!chunk.sent) await journal.put((chunk = { ...chunk, sent: true }));
    while (!chunk.changed) {
      const { changes, changeKey } = chunk;
      try {
        const changed =
          changes.length === 0 ? [] : await reach(() => calls.change(changes, changeKey), signal);
        chunk = { ...chunk, changed };
      } catch (error) {
        const refused = refusedEntries(error, changes.length);
        chunk = {
          ...chunk,
          changes: changes.filter((_, i) => !refused.has(i)),
          left: [
            ...chunk.left,
            ...changes
              .filter((_, i) => refused.has(i))
              .map(({ jrid, values, before }) => ({ jrid, typed: {}, values, before })),
          ],
          changeKey: newIdempotencyKey(),
        };
      }
      await journal.put(chunk);
    }
    while (!chunk.created) {
      const { creations, createKey } = chunk;
      try {
        const created =
          creations.length === 0
            ? []
            : await reach(() => calls.create(creations, createKey), signal);
        chunk = { ...chunk, created };
      } catch (error) {
        const refused = refusedEntries(error, creations.length);
        chunk = {
          ...chunk,
          creations: creations.filter((_, i) => !refused.has(i)),
          ...(chunk.formerly ? { formerly: chunk.formerly.filter((_, i) => !refused.has(i)) } : {}),
          left: [
            ...chunk.left,
            ...[...refused].flatMap(([i, refusal]): LeftRow[] => {
              const values = creations[i];
              return values ? [{ jrid: null, typed: {}, values, before: {}, refusal }] : [];
            }),
          ],
          createKey: newIdempotencyKey(),
        };
      }
      await journal.put(chunk);
    }
    return chunk;
  };

  const pasted = async (): Promise<Pasted> => {
    const left: LeftRow[] = [];
    const renamed = new Map<string, string>();
    for (let number = 0; number < job.chunksDone; number++) {
      const chunk = await chunkOf(number);
      left.push(...chunk.left);
      for (const [i, former] of (chunk.formerly ?? []).entries()) {
        const jrid = chunk.created?.[i]?.jrid;
        if (jrid !== undefined) renamed.set(former, jrid);
      }
    }
    return { left, renamed };
  };

  /** Does what may be broken off by the signal. */
  const unlessStopped = async <T>(signal: AbortSignal, work: () => Promise<T>) => {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted && error === signal.reason) return null;
      throw error;
    }
  };

  const go = (signal: AbortSignal) =>
    unlessStopped(signal, async () => {
      if (job.is !== 'going') await journal.putJob(move({ is: 'going', at: Date.now() }));
      while (job.chunksDone < job.chunks) {
        if (signal.aborted) return null;
        const chunk = await send(await chunkOf(job.chunksDone), signal);
        await journal.put(
          chunk,
          move({ chunksDone: job.chunksDone + 1, rowsDone: job.rowsDone + chunk.rows }),
        );
        onJob(job);
      }
      return pasted();
    });

  const leaveAt = async () => {
    const { rowsDone, chunksDone, rows, is } = job;
    const last = is === 'going' ? await journal.chunk(job.id, chunksDone) : undefined;
    const chunks = last?.sent ? chunksDone + 1 : chunksDone;
    move({ chunks, rows: rowsDone, stoppedOf: job.stoppedOf ?? rows });
    return { job, pasted: await pasted() };
  };

  const takeBack = (signal: AbortSignal) =>
    unlessStopped(signal, async () => {
      const asked = <T>(work: () => Promise<T>) => reach(work, signal);
      if (job.is !== 'back') {
        // Whether a chunk on its way got there is only known by sending it once more.
        const last = await journal.chunk(job.id, job.chunksDone);
        if (last?.sent) {
          const chunk = await send(last, signal);
          const rowsDone = job.rowsDone + chunk.rows;
          const chunksDone = job.chunksDone + 1;
          await journal.put(chunk, move({ chunksDone, rowsDone, is: 'back', stay: NOTHING_STAYS }));
        } else await journal.putJob(move({ is: 'back', stay: NOTHING_STAYS }));
      }
      while (job.chunksDone > 0) {
        if (signal.aborted) return null;
        const chunk = await chunkOf(job.chunksDone - 1);
        const keep = (now: Chunk) => journal.put(now);
        const { again, stays } = await revertChunk(chunk, { calls, reach: asked, keep });
        const stay = await added(job.stay ?? NOTHING_STAYS, stays, asked);
        const rowsDone = Math.max(0, job.rowsDone - chunk.rows);
        await journal.put(again, move({ chunksDone: job.chunksDone - 1, rowsDone, stay }));
        onJob(job);
      }
      return job.stay ?? NOTHING_STAYS;
    });

  const added = async (
    { count, cells }: Staying,
    stays: readonly Stays[],
    asked: <T>(work: () => Promise<T>) => Promise<T>,
  ): Promise<Staying> => {
    const first = stays.slice(0, Math.max(0, NAMED - cells.length));
    const who = await named(first, { calls, reach: asked });
    return { count: count + stays.length, cells: [...cells, ...who] };
  };

  return { go, takeBack, leaveAt };
}
