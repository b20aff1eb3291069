import { useDebouncedValue } from '@mantine/hooks';
import {
  keepPreviousData,
  type QueryFunctionContext,
  type QueryKey,
  useQuery,
} from '@tanstack/react-query';
import { useMemo, useState } from 'react';

/** Reads the values to offer for a text, the likeliest first. Its key has all that they depend on. */
interface SuggestionsQuery {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: QueryFunctionContext) => Promise<readonly string[]>;
}

/** Makes the query of the values to offer for what was typed so far. */
export type Suggest = (typed: string) => SuggestionsQuery;

/** The key of suggestions for a field of an archive or table. */
export const suggestionsKey = (place: string, field: string, ...more: readonly unknown[]) =>
  ['suggestions', place, field, ...more] as const;

/** Milliseconds without a key after which values are asked for. */
export const DEBOUNCE = 150;

/** Values for what is typed into a field. Where they cannot be read, none are offered. */
export function useSuggestions(suggest: Suggest | undefined) {
  const [asked, setAsked] = useState<string | null>(null);
  const [settled] = useDebouncedValue(asked, DEBOUNCE);
  // Made when the text has settled: what stands in other fields of the form is read then.
  const query = useMemo(
    () => (settled === null ? undefined : suggest?.(settled)),
    [suggest, settled],
  );
  const { data } = useQuery({
    ...(query ?? NOTHING_TO_ASK),
    enabled: query !== undefined && asked !== null,
    select: distinct,
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
const NOTHING_TO_ASK: SuggestionsQuery = {
  queryKey: suggestionsKey('', ''),
  queryFn: () => Promise.resolve(NONE),
};

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((text) => text !== '');
}
