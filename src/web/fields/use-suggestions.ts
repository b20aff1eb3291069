import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';

/** Values to offer for what was typed so far, the likeliest first. */
export type Suggest = (typed: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Milliseconds without a key after which values are asked for. */
export const DEBOUNCE = 150;

/** Values for what is typed into a field. Where they cannot be read, none are offered. */
export function useSuggestions(suggest: Suggest | undefined) {
  const id = useId();
  const [asked, setAsked] = useState<string | null>(null);
  const [settled] = useDebouncedValue(asked, DEBOUNCE);
  const { data } = useQuery({
    // Of this editor alone: what fits depends on the other fields of its form.
    queryKey: ['suggestions', id, settled],
    queryFn: async ({ signal }) => {
      const found = (await suggest?.(settled ?? '', signal)) ?? [];
      return [...new Set(found)].filter((text) => text !== '');
    },
    enabled: suggest !== undefined && asked !== null && settled !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return {
    offered: asked === null || settled === null ? NONE : (data ?? NONE),
    /** the text for which values are offered; null: none are */
    asked,
    ask: setAsked,
  };
}

const NONE: readonly string[] = [];
