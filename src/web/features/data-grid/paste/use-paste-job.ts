import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { notify } from '#web/ui/notify.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { PasteJob } from './journal.ts';
import { isWorkedOn } from './locks.ts';
import { isWorking, journal, NOTHING_STAYS, pasteJobsOf, type ShownJob } from './paste-jobs.ts';
import type { Plan } from './plan.ts';

interface JobOptions {
  readonly guid: string;
  readonly username: string;
  readonly columns: readonly Column[];
  readonly editStore: EditStore;
  readonly canWrite: boolean;
  /** the list is to be read anew */
  readonly onWritten: () => void;
}

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
  stay: NOTHING_STAYS,
});

/** The rows that a paste under way has not sent, or not undone yet; 0: none is under way. */
export function rowsToGo(shown: ShownJob | null): number {
  if (shown?.is === 'back') return shown.job.rowsDone;
  return shown?.is === 'going' ? shown.job.rows - shown.job.rowsDone : 0;
}

/** The service keeps idempotency keys for 14 days; after that a chunk might be done twice. */
const RESUMED_WITHIN = 13 * 24 * 3_600_000;

/** The pastes of a table as its page shows them; they go on while another page is shown. */
export function usePasteJob({
  guid,
  username,
  columns,
  editStore,
  canWrite,
  onWritten,
}: JobOptions) {
  const client = useQueryClient();
  const [jobs] = useState(() => pasteJobsOf({ client, guid, username, editStore }));
  const own = useSyncExternalStore(jobs.subscribe, jobs.get);
  const offering = useSyncExternalStore(jobs.offering.subscribe, jobs.offering.get);
  const leftovers = useSyncExternalStore(jobs.leftovers.subscribe, jobs.leftovers.get);
  const { data: found } = useQuery({ ...unfinishedQuery(username, guid), enabled: canWrite });
  const shown = own ?? (offering && found ? stopped(found) : null);

  const read = useEffectEvent(onWritten);
  useEffect(() => jobs.writes.subscribe(() => read()), [jobs]);
  useEffect(() => {
    jobs.offering.set(true);
    return () => {
      const now = jobs.get();
      if (!isWorking(now)) return;
      const what = now?.is === 'back' ? 'Undoing the paste' : 'The paste';
      notify(`${what} continues while you are on another page. Its table shows how far it is.`);
    };
  }, [jobs]);

  return {
    shown,
    /** rises when a paste has left rows in the grid that could not be saved */
    leftovers,
    begin: (plan: Plan) => jobs.begin(plan, columns),
    canGoOn: (job: PasteJob) => Date.now() - job.at < RESUMED_WITHIN,
    goOn: () => shown && jobs.goOn(shown, columns),
    takeBack: () => shown && jobs.takeBack(shown, columns),
    turn: (id: string, way: 'undo' | 'redo') => jobs.turn(id, way, columns),
    stop: jobs.stop,
    leave: () => jobs.leave(shown, columns),
    close: jobs.close,
  };
}

export type ShownPasteJobs = ReturnType<typeof usePasteJob>;
