import type { QueryClient } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import { type ApiFailure, summary, toFailure } from '#web/api/failure.ts';
import { formatCount } from '#shared/messages/format.ts';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { createStore } from '#web/api/create-store.ts';
import { lazyPart } from '#web/ui/lazy-component.tsx';
import { notify } from '#web/ui/notify.ts';
import { datasetCalls } from '../edit-store/datasets.calls.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { jobsInSteps } from '../edit-store/edit-store-of-table.ts';
import { type LeftRow, type PasteJob, pasteJournal, type Staying } from './journal.ts';
import { whileAlone } from './locks.ts';
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
  /** rows that stay in the grid for the clerk to correct */
  readonly left: number;
  /** what was edited after the paste, so that it was not undone */
  readonly stay: Staying;
}

export const NOTHING_STAYS: Staying = { count: 0, cells: [] };

export const journal = pasteJournal();
/** What compares and carries out pastes; it comes when the page stands. */
export const jobParts = lazyPart(() => import('./job-parts.ts'));

/** Small ones need no dialog while all goes well. */
export const isSmall = ({ rows }: PasteJob) => rows <= SMALL_PASTE;

/** Whether rows are being sent or removed again right now. */
export const isWorking = (shown: ShownJob | null) => shown?.is === 'going' || shown?.is === 'back';

interface PasteJobsOptions {
  readonly client: QueryClient;
  readonly guid: string;
  readonly username: string;
  readonly editStore: EditStore;
}

const stores = new WeakMap<EditStore, PasteJobs>();

/** The pastes of a user into one table; the same ones for as long as the web admin is open, whatever page is shown. */
export function pasteJobsOf(options: PasteJobsOptions): PasteJobs {
  let jobs = stores.get(options.editStore);
  if (!jobs) stores.set(options.editStore, (jobs = createPasteJobs(options)));
  return jobs;
}

/** Pastes of thousands of rows: carried out by a journal, so that they outlive the page and the tab. */
function createPasteJobs({ client, guid, username, editStore }: PasteJobsOptions) {
  const state = createStore<ShownJob | null>(null);
  /** rises when records were written: lists are to be read again */
  const writes = createStore(0);
  /** rises when a paste has left rows in the grid that could not be saved */
  const leftovers = createStore(0);
  /** whether an unfinished paste of before is offered */
  const offering = createStore(true);
  let stopping = new AbortController();
  let viewers = 0;

  const warnBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  state.subscribe(() => {
    if (isWorking(state.get())) addEventListener('beforeunload', warnBeforeUnload);
    else removeEventListener('beforeunload', warnBeforeUnload);
  });

  const written = () => {
    writes.set(writes.get() + 1);
    void client.invalidateQueries({ queryKey: tablesQuery.queryKey });
    void client.invalidateQueries({ queryKey: tableQuery(guid).queryKey });
  };
  const show = (job: PasteJob, is: ShownJob['is'], more: Partial<ShownJob> = {}): void =>
    state.set({ job, is, failure: null, left: 0, stay: NOTHING_STAYS, ...more });
  /** Ends a job whose outcome fits into one sentence; where no page shows the dialog, any does. */
  const ends = (shown: ShownJob, fitsSentence: boolean, words: string) => {
    const isSaid = (isSmall(shown.job) && fitsSentence) || viewers === 0;
    if (isSaid) notify(words);
    state.set(isSmall(shown.job) && fitsSentence ? null : shown);
  };

  /** What a paste could not write goes to the grid, and the whole becomes a step of undo. */
  const settle = async (job: PasteJob, { left, renamed }: Pasted, columns: readonly Column[]) => {
    const { handOver } = await jobParts.fetch();
    const cells = await handOver(job.id, left, columns, editStore, datasetCalls(guid));
    await journal.keepCells(job.id, cells);
    const done: PasteJob = { ...job, is: 'done' };
    await journal.rest(done);
    if (renamed.size > 0) {
      editStore.rename(renamed);
      await journal.rename(done, renamed);
    }
    editStore.moveJob(job.id, 'redo');
    const isKnown = editStore.steps.get().done.some((step) => step.job === job.id);
    if (!isKnown) editStore.remember({ label: 'pasting', cells: [], created: [], job: job.id });
    const rows = rowsIn(left);
    if (rows > 0) leftovers.set(leftovers.get() + 1);
    return rows;
  };

  /** Leaves a paste at what was written of it, or is left of it: that is the whole paste then. */
  const leave = async (start: PasteJob, columns: readonly Column[]): Promise<void> => {
    try {
      const { createRunner } = await jobParts.fetch();
      const runner = createRunner(journal, pasteCalls(guid), start, () => {});
      await whileAlone(start.id, async () => {
        const { job, pasted } = await runner.leaveAt();
        if (job.chunks === 0) await journal.forget(job);
        else await settle(job, pasted, columns);
        const [done, of] = [formatCount(job.rows), formatCount(job.stoppedOf ?? job.rows)];
        notify(`${done} of ${of} rows are pasted, the others are not.`);
      });
      written();
    } catch (error) {
      notify(`The paste stays where it stopped. ${summary(toFailure(error))}`);
    }
  };

  const finished = async (
    start: PasteJob,
    job: PasteJob,
    pasted: Pasted,
    columns: readonly Column[],
  ) => {
    const left = await settle(job, pasted, columns);
    if (start.is === 'undone')
      await editStore.turnCells(await journal.cells(job.id), 'redo', columns);
    const done: PasteJob = { ...job, is: 'done' };
    const shown: ShownJob = { job: done, is: 'done', failure: null, left, stay: NOTHING_STAYS };
    ends(shown, true, pastedWords(done.rows, left));
  };

  const takenBack = async (job: PasteJob, stay: Staying) => {
    const undone: PasteJob = { ...job, is: 'undone' };
    await journal.rest(undone);
    editStore.moveJob(undone.id, 'undo');
    const shown: ShownJob = { job: undone, is: 'undone', failure: null, left: 0, stay };
    ends(shown, stay.count === 0, 'The paste is undone.');
  };

  /** Works on a job in one direction; whatever happens, the dialog says so. */
  const work = async (
    start: PasteJob,
    direction: 'going' | 'back',
    columns: readonly Column[],
  ): Promise<void> => {
    const stop = new AbortController();
    stopping = stop;
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
          return finished(start, job, pasted, columns);
        }
        await editStore.turnCells(await journal.cells(job.id), 'undo', columns);
        const stay = await runner.takeBack(stop.signal);
        if (!stay) return show({ ...job, is: 'back' }, 'stopped');
        return takenBack(job, stay);
      });
      if (done === null) {
        notify('Another window of yours is at work on this paste.');
        state.set(null);
        offering.set(false);
        return;
      }
    } catch (error) {
      const failure = toFailure(error);
      show(direction === 'back' ? { ...job, is: 'back' } : job, 'stopped', { failure });
      if (viewers === 0) notify(`A paste stopped. ${summary(failure)}`);
    }
    written();
  };

  const close = () => {
    offering.set(false);
    state.set(null);
  };
  return {
    get: state.get,
    /** A page that shows the state; where none does, the end of a job is said in a notice. */
    subscribe: (listener: () => void): (() => void) => {
      viewers++;
      const leaveState = state.subscribe(listener);
      return () => {
        viewers--;
        leaveState();
      };
    },
    writes,
    leftovers,
    offering,
    /** Writes a plan down and begins with it. @throws where the browser keeps nothing, or what carries it out does not come */
    async begin(plan: Plan, columns: readonly Column[]): Promise<void> {
      const { chunksOf, newJob } = await jobParts.fetch();
      const job = newJob(plan, username, guid);
      await journal.prune(username, guid, await jobsInSteps(client, username, guid));
      await journal.begin(job, chunksOf(plan, job.id));
      void editStore.inTurn(() => work(job, 'going', columns));
    },
    goOn: ({ job }: ShownJob, columns: readonly Column[]) =>
      void editStore.inTurn(() => work(job, job.is === 'back' ? 'back' : 'going', columns)),
    takeBack: ({ job }: ShownJob, columns: readonly Column[]) =>
      void editStore.inTurn(() => work(job, 'back', columns)),
    /** Undoes a paste that was done before, or redoes one that was undone. */
    async turn(id: string, way: 'undo' | 'redo', columns: readonly Column[]): Promise<void> {
      const job = await journal.job(id);
      if (job) await work(job, way === 'undo' ? 'back' : 'going', columns);
      else notify(`This paste can no longer be ${way === 'undo' ? 'undone' : 'redone'}.`);
    },
    /** Stops after what is under way. */
    stop: () => stopping.abort(),
    /** Leaves it as it is, for good. */
    leave(shown: ShownJob | null, columns: readonly Column[]): void {
      if (shown?.is === 'stopped') void leave(shown.job, columns);
      close();
    },
    close,
  };
}

export type PasteJobs = ReturnType<typeof createPasteJobs>;

/** How many rows something was left of: cells of one record may be in several entries. */
function rowsIn(left: readonly LeftRow[]): number {
  const created = left.filter(({ jrid }) => jrid === null).length;
  return created + new Set(left.flatMap(({ jrid }) => jrid ?? [])).size;
}

/** What came of a paste, in one sentence or two. */
export function pastedWords(rows: number, left: number): string {
  if (left === 0) return rows === 1 ? '1 row is pasted.' : `${formatCount(rows)} rows are pasted.`;
  const rest =
    left === 1 ? '1 is not saved: it stays' : `${formatCount(left)} are not saved: they stay`;
  return `${formatCount(rows - left)} of ${formatCount(rows)} rows are pasted; ${rest} in the grid, marked.`;
}
