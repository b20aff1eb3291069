import { useEffect } from 'react';
import { useStore } from '#web/api/use-store.ts';
import { notify } from '#web/ui/notify.ts';
import type { EditStore } from './edit-store.ts';
import * as texts from '#messages/tables.ts';

/** Reports that edits of a closed tab were added. */
export function useResumeNotice({ resumed }: EditStore): void {
  const count = useStore(resumed);
  useEffect(() => {
    if (count === 0) return;
    resumed.set(0);
    notify(texts.resumed(count));
  }, [count, resumed]);
}
