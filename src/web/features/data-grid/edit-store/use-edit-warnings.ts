import { useEffect } from 'react';
import { notify } from '#web/ui/notify.ts';
import type { EditStore } from './edit-store.ts';
import { hasUnsaved } from './edits.ts';
import * as texts from '#messages/tables.ts';

/** Warnings about the edits of a table as a whole: when its page opens, and before the window closes. */
export function useEditWarnings(editStore: EditStore): void {
  useResumeNotice(editStore);
  useLeaveWarning(editStore);
}

/** Reports that edits of a closed tab were added. */
function useResumeNotice({ resumed }: EditStore): void {
  useEffect(() => {
    const say = () => {
      const count = resumed.get();
      if (count === 0) return;
      resumed.set(0);
      notify(texts.resumed(count));
    };
    say();
    return resumed.subscribe(say);
  }, [resumed]);
}

/** Closing the window would lose unsaved edits. */
function useLeaveWarning({ get }: EditStore): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasUnsaved(get())) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [get]);
}
