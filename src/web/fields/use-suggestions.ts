import { useEffect, useEffectEvent, useState } from 'react';

/** Values to offer for what was typed so far, the likeliest first. */
export type Suggest = (typed: string, signal: AbortSignal) => Promise<readonly string[]>;

const PAUSE_AFTER_TYPING = 150;

/** Values for what is typed into a field, asked for when one has stopped typing for a moment. */
export function useSuggestions(suggest: Suggest | undefined) {
  const [asked, setAsked] = useState<string | null>(null);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const offer = useEffectEvent(async (typed: string, signal: AbortSignal) => {
    try {
      const found = (await suggest?.(typed, signal)) ?? [];
      if (!signal.aborted) setOffered([...new Set(found)].filter((text) => text !== ''));
    } catch {
      // Suggestions are a convenience: without them one simply types.
    }
  });

  useEffect(() => {
    if (asked === null) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void offer(asked, abort.signal);
    }, PAUSE_AFTER_TYPING);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked]);

  return {
    offered,
    /** what values are offered for; null: none are */
    asked,
    ask: (typed: string | null) => {
      setAsked(typed);
      if (typed === null) setOffered([]);
    },
  };
}
