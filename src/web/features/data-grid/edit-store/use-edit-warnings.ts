import { useEffect } from 'react';
import { formatCount } from '#shared/messages/format.ts';
import { notify } from '#web/ui/notify.ts';
import type { EditStore } from './edit-store.ts';
import { countEdits } from './edits.ts';

/** What a clerk is told of the desk as a whole: when the page comes, and before it goes. */
export function useEditWarnings(editStore: EditStore): void {
  useAdoptionNotice(editStore);
  useLeaveWarning(editStore);
}

/** Says that what an earlier tab could not save is there again. */
function useAdoptionNotice({ adoptions }: EditStore): void {
  useEffect(() => {
    const say = () => {
      const count = adoptions.get();
      if (count === 0) return;
      adoptions.set(0);
      const entries = count === 1 ? '1 entry' : `${formatCount(count)} entries`;
      notify(`${entries} that had not been saved: here again.`);
    };
    say();
    return adoptions.subscribe(say);
  }, [adoptions]);
}

/** Closing the window would lose what the server does not have yet. */
function useLeaveWarning({ get }: EditStore): void {
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
