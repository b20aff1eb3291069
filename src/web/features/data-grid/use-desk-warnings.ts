import { useEffect } from 'react';
import { shownCount } from '#web/api/reader.ts';
import { notify } from '#web/ui/notify.ts';
import type { Desk } from './desk.ts';
import { countEdits } from './edits.ts';

/** What a clerk is told of the desk as a whole: when the page comes, and before it goes. */
export function useDeskWarnings(desk: Desk): void {
  useAdoptionNotice(desk);
  useLeaveWarning(desk);
}

/** Says that what an earlier tab could not save is there again. */
function useAdoptionNotice({ adoptions }: Desk): void {
  useEffect(() => {
    const say = () => {
      const count = adoptions.get();
      if (count === 0) return;
      adoptions.set(0);
      const entries = count === 1 ? '1 entry' : `${shownCount(count)} entries`;
      notify(`${entries} that had not been saved: here again.`);
    };
    say();
    return adoptions.subscribe(say);
  }, [adoptions]);
}

/** Closing the window would lose what the server does not have yet. */
function useLeaveWarning({ get }: Desk): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const { waiting, problems } = countEdits(get());
      if (waiting + problems > 0 || get().newRows.some(({ stored }) => !stored)) {
        event.preventDefault();
      }
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [get]);
}
