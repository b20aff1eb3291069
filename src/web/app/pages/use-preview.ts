import { useState } from 'react';
import { readStoredText, storeText } from '#web/api/browser-storage.ts';
import { useMedia } from '#web/ui/use-media.ts';

const KEY = 'indexdesk-preview';

/** Whether the document is shown next to the form: remembered if there is room for it, otherwise only on request. */
export function usePreview(): { readonly shown: boolean; readonly toggle: () => void } {
  const isWide = useMedia('(width >= 1180px)');
  const [isPreferred, setPreferred] = useState(() => readStoredText(KEY) !== 'hidden');
  const [isRequested, setRequested] = useState(false);
  const shown = isWide ? isPreferred : isRequested;
  return {
    shown,
    toggle: () => {
      if (!isWide) setRequested(!isRequested);
      else {
        setPreferred(!isPreferred);
        storeText(KEY, isPreferred ? 'hidden' : 'shown');
      }
    },
  };
}
