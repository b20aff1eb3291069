import { useDebouncedValue } from '@mantine/hooks';
import {
  keepPreviousData,
  type QueryFunctionContext,
  type QueryKey,
  useQuery,
} from '@tanstack/react-query';
import { useMemo, useState } from 'react';

/** Reads the values to suggest for a text, most likely first. Its key contains everything that they depend on. */
interface SuggestionsQuery {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: QueryFunctionContext) => Promise<readonly string[]>;
}

/** Creates the query for the values to suggest for the typed text. */
export type Suggest = (typed: string) => SuggestionsQuery;

/** The key of suggestions for a field of an archive or table. */
export const suggestionsKey = (collectionId: string, field: string, ...more: readonly unknown[]) =>
  ['suggestions', collectionId, field, ...more] as const;

/** Milliseconds without a key press after which suggestions are requested. */
export const DEBOUNCE = 150;

/** Suggestions for the text typed into a field. If they cannot be read, none are offered. */
export function useSuggestions(suggest: Suggest | undefined) {
  const [requested, setRequested] = useState<string | null>(null);
  const [settled] = useDebouncedValue(requested, DEBOUNCE);
  // Created when the text has settled; the other fields of the form are read then.
  const query = useMemo(
    () => (settled === null ? undefined : suggest?.(settled)),
    [suggest, settled],
  );
  const { data } = useQuery({
    ...(query ?? NOTHING_TO_ASK),
    enabled: query !== undefined && requested !== null,
    select: distinct,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return {
    offered: requested === null || settled === null ? NONE : (data ?? NONE),
    /** the text for which values are offered; null: none are */
    requested,
    ask: setRequested,
  };
}

const NONE: readonly string[] = [];
const NOTHING_TO_ASK: SuggestionsQuery = {
  queryKey: suggestionsKey('', ''),
  queryFn: () => Promise.resolve(NONE),
};

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((text) => text !== '');
}
