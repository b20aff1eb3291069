import { useState } from 'react';
import { useMedia } from '#web/ui/use-media.ts';

const KEY = 'indexdesk-preview';

/** Whether the document is shown next to the form: remembered if there is room for it, otherwise only on request. */
export function usePreview(): { readonly shown: boolean; readonly toggle: () => void } {
  const isWide = useMedia('(width >= 1180px)');
  const [isPreferred, setPreferred] = useState(readPreference);
  const [isRequested, setRequested] = useState(false);
  const shown = isWide ? isPreferred : isRequested;
  return {
    shown,
    toggle: () => {
      if (!isWide) setRequested(!isRequested);
      else {
        setPreferred(!isPreferred);
        storePreference(!isPreferred);
      }
    },
  };
}

// Storage may be disabled in a browser; the document is then shown on each visit.
function readPreference(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'hidden';
  } catch {
    return true;
  }
}

function storePreference(shown: boolean): void {
  try {
    localStorage.setItem(KEY, shown ? 'shown' : 'hidden');
  } catch {
    // Storage is disabled.
  }
}
