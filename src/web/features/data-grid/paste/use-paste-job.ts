import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Column } from '#shared/definitions.ts';
import { type ApiFailure, summary, toFailure } from '#web/api/failure.ts';
import { shownCount } from '#web/api/reader.ts';
import { tableKeys, tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { laterPart } from '#web/ui/later.tsx';
import { notify } from '#web/ui/notify.ts';
import { datasetCalls } from '../datasets.calls.ts';
import type { Desk } from '../desk.ts';
import { jobsInSteps } from '../desk-of.ts';
import { type PasteJob, pasteJournal, type Staying } from './journal.ts';
import { isWorkedOn, whileAlone } from './locks.ts';
import { pasteCalls } from './paste.calls.ts';
import type { Plan } from './plan.ts';
import type { Pasted } from './runner.ts';
import { SMALL_PASTE } from './small-paste.ts';

/** A large paste, as its dialog shows it. */
export interface ShownJob {
  readonly job: PasteJob;
  readonly is: 'going' | 'back' | 'stopped' | 'done' | 'undone';
  /** why it stopped, where it was not the clerk */
  readonly failure: ApiFailure | null;
  /** cells and rows that stay in the grid for the clerk to mend */
  readonly left: number;
  /** what was edited after the paste, so that it was not undone */
  readonly stay: Staying;
}

const NOTHING: Staying = { count: 0, cells: [] };

interface JobOptions {
  readonly guid: string;
  readonly username: string;
  readonly columns: readonly Column[];
  readonly desk: Desk;
  readonly canWrite: boolean;
  /** the list is to be read anew */
  readonly onWritten: () => void;
}

const journal = pasteJournal();
/** What carries pastes out; it comes when the page stands. */
const jobParts = laterPart(() => import('./job-parts.ts'));

/** The oldest paste of a user into a table that stopped before its end and that no other tab works on. */
const unfinishedQuery = (username: string, guid: string) =>
  queryOptions({
    queryKey: [...tableKeys.one(guid), 'unfinished paste', username],
    queryFn: async () => {
      for (const job of await journal.unfinished(username, guid)) {
        // oxlint-disable-next-line no-await-in-loop -- the first that is free is enough
        if (!(await isWorkedOn(job.id))) return job;
      }
      return null;
    },
    // Where the browser keeps nothing there is nothing to offer.
    retry: false,
    throwOnError: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const stopped = (job: PasteJob): ShownJob => ({
  job,
  is: 'stopped',
  failure: null,
  left: 0,
  stay: NOTHING,
});

/** Small ones need no dialog while all goes well. */
export const isSmall = ({ rows }: PasteJob) => rows <= SMALL_PASTE;

/** The rows that a paste under way has not sent, or not undone yet; 0: none is under way. */
export function rowsToGo(shown: ShownJob | null): number {
  if (shown?.is === 'back') return shown.job.rowsDone;
  return shown?.is === 'going' ? shown.job.rows - shown.job.rowsDone : 0;
}

/** The service keeps idempotency keys for 14 days; after that a chunk might be done twice. */
const RESUMED_WITHIN = 13 * 24 * 3_600_000;

/** Pastes of thousands of rows: carried out by a journal, so that they outlive the tab. */
export function usePasteJob({ guid, username, columns, desk, canWrite, onWritten }: JobOptions) {
  const client = useQueryClient();
  const [own, setShown] = useState<ShownJob | null>(null);
  const { data: found } = useQuery({ ...unfinishedQuery(username, guid), enabled: canWrite });
  const [offering, setOffering] = useState(true);
  const shown = own ?? (offering && found ? stopped(found) : null);
  const stopping = useRef(new AbortController());

  const written = () => {
    onWritten();
    void client.invalidateQueries({ queryKey: tablesQuery.queryKey });
    void client.invalidateQueries({ queryKey: tableQuery(guid).queryKey });
  };
  const show = (job: PasteJob, is: ShownJob['is'], more: Partial<ShownJob> = {}): void =>
    setShown({ job, is, failure: null, left: 0, stay: NOTHING, ...more });

  /** What a paste could not write goes to the grid, and the whole becomes a step of undo. */
  const settle = async (job: PasteJob, { left, renamed }: Pasted) => {
    const { handOver } = await jobParts.fetch();
    const cells = await handOver(job.id, left, columns, desk, datasetCalls(guid));
    await journal.keepCells(job.id, cells);
    const done: PasteJob = { ...job, is: 'done' };
    await journal.rest(done);
    if (renamed.size > 0) {
      desk.rename(renamed);
      await journal.rename(done, renamed);
    }
    desk.moveJob(job.id, 'redo');
    const isKnown = desk.steps.get().done.some((step) => step.job === job.id);
    if (!isKnown) desk.remember({ label: 'pasting', cells: [], created: [], job: job.id });
    return left.length;
  };

  /** Leaves a paste at what was written of it, or is left of it: that is the whole paste then. */
  const leave = async (start: PasteJob): Promise<void> => {
    try {
      const { createRunner } = await jobParts.fetch();
      const runner = createRunner(journal, pasteCalls(guid), start, () => {});
      await whileAlone(start.id, async () => {
        const { job, pasted } = await runner.leaveAt();
        if (job.chunks === 0) await journal.forget(job);
        else await settle(job, pasted);
        const [done, of] = [shownCount(job.rows), shownCount(job.stoppedOf ?? job.rows)];
        notify(`${done} of ${of} rows are pasted, the others are not.`);
      });
      written();
    } catch (error) {
      notify(`The paste stays where it stopped. ${summary(toFailure(error))}`);
    }
  };

  /** Works on a job in one direction; whatever happens, the dialog says so. */
  const work = async (start: PasteJob, direction: 'going' | 'back') => {
    const stop = new AbortController();
    stopping.current = stop;
    let job = start;
    show(job, direction);
    try {
      const { createRunner } = await jobParts.fetch();
      const runner = createRunner(journal, pasteCalls(guid), start, (next) => {
        job = next;
        show(next, direction);
      });
      const done = await whileAlone(start.id, async () => {
        if (direction === 'going') {
          const pasted = await runner.go(stop.signal);
          if (!pasted) return show(job, 'stopped');
          const left = await settle(job, pasted);
          if (start.is === 'undone')
            await desk.turnCells(await journal.cells(job.id), 'redo', columns);
          job = { ...job, is: 'done' };
          if (isSmall(job)) {
            setShown(null);
            return notify(`${shownCount(job.rows)} rows are pasted.`);
          }
          return show(job, 'done', { left });
        }
        await desk.turnCells(await journal.cells(job.id), 'undo', columns);
        const stay = await runner.takeBack(stop.signal);
        if (!stay) return show({ ...job, is: 'back' }, 'stopped');
        job = { ...job, is: 'undone' };
        await journal.rest(job);
        desk.moveJob(job.id, 'undo');
        if (isSmall(job) && stay.count === 0) {
          setShown(null);
          return notify('The paste is undone.');
        }
        return show(job, 'undone', { stay });
      });
      if (done === null) {
        notify('Another window of yours is at work on this paste.');
        setShown(null);
        setOffering(false);
        return;
      }
    } catch (error) {
      show(direction === 'back' ? { ...job, is: 'back' } : job, 'stopped', {
        failure: toFailure(error),
      });
    }
    written();
  };

  useEffect(() => {
    if (shown?.is !== 'going' && shown?.is !== 'back') return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [shown?.is]);

  const close = () => {
    setOffering(false);
    setShown(null);
  };
  return {
    shown,
    /** Writes a plan down and begins with it. @throws where the browser keeps nothing, or what carries it out does not come */
    begin: async (plan: Plan) => {
      const { chunksOf, newJob } = await jobParts.fetch();
      const job = newJob(plan, username, guid);
      await journal.prune(username, guid, await jobsInSteps(client, username, guid));
      await journal.begin(job, chunksOf(plan, job.id));
      void desk.inTurn(() => work(job, 'going'));
    },
    canGoOn: (job: PasteJob) => Date.now() - job.at < RESUMED_WITHIN,
    goOn: () =>
      shown && void desk.inTurn(() => work(shown.job, shown.job.is === 'back' ? 'back' : 'going')),
    takeBack: () => shown && void desk.inTurn(() => work(shown.job, 'back')),
    /** Undoes a paste that was done before, or does again one that was undone. */
    turn: async (id: string, way: 'undo' | 'redo') => {
      const job = await journal.job(id);
      if (job) await work(job, way === 'undo' ? 'back' : 'going');
      else notify(`This paste can no longer be ${way === 'undo' ? 'undone' : 'redone'}.`);
    },
    /** Stops after what is under way. */
    stop: () => stopping.current.abort(),
    /** Leaves it as it is, for good. */
    leave: () => {
      if (shown?.is === 'stopped') void leave(shown.job);
      close();
    },
    close,
  };
}

export type PasteJobs = ReturnType<typeof usePasteJob>;
