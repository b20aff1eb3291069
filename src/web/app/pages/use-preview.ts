import { useState } from 'react';
import { useMedia } from '#web/ui/use-media.ts';

const KEY = 'indexdesk-preview';

/** Whether the document is shown next to the form: remembered if there is room for it, otherwise only on request. */
export function usePreview(): { readonly shown: boolean; readonly toggle: () => void } {
  const wide = useMedia('(width >= 1180px)');
  const [wanted, setWanted] = useState(remembered);
  const [asked, setAsked] = useState(false);
  const shown = wide ? wanted : asked;
  return {
    shown,
    toggle: () => {
      if (!wide) setAsked(!asked);
      else {
        setWanted(!wanted);
        remember(!wanted);
      }
    },
  };
}

// Storage may be disabled in a browser; the document is then shown on each visit.
function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'hidden';
  } catch {
    return true;
  }
}

function remember(shown: boolean): void {
  try {
    localStorage.setItem(KEY, shown ? 'shown' : 'hidden');
  } catch {
    // Storage is disabled.
  }
}
