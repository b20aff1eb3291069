import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useCombobox } from '#web/ui/combobox/use-combobox.ts';
import {
  lookUp,
  type LookUpResult,
  type LookUpField,
  type LookUpOption,
  NO_MATCHES,
} from './look-up.ts';
import { DEBOUNCE } from './use-suggestions.ts';

interface LookUpOptions {
  readonly field: LookUpField;
  /** the text in the field */
  readonly value: string;
  /** the present text of another field */
  readonly textAt: (field: string) => string | null;
  /** the text that is looked up initially; null: none; '': before anything is typed */
  readonly initial: string | null;
  /** the initially active option among those found for a text; -1: none */
  readonly firstOf: (found: LookUpResult, typed: string) => number;
  readonly disabled: boolean;
  readonly onChoose: (option: LookUpOption) => void;
}

/** The datasets that match the text typed into a field. If they cannot be read, none are offered. */
export function useLookUp(options: LookUpOptions) {
  const { field, value, textAt, initial, firstOf, disabled, onChoose } = options;
  const client = useQueryClient();
  const id = useId();
  const [requested, setRequested] = useState(initial);
  /** the text whose first option is chosen as soon as it is known */
  const awaited = useRef<string | null>(null);
  const stopWaiting = () => {
    awaited.current = null;
  };
  useEffect(
    () => () => {
      awaited.current = null;
    },
    [],
  );
  const request = (typed: string | null) => {
    stopWaiting();
    setRequested(typed);
  };
  const [settled] = useDebouncedValue(requested, DEBOUNCE);
  const isAsked = requested !== null && settled !== null && !disabled;
  const foundQuery = (typed: string) =>
    queryOptions({
      // Only for this editor: the match depends on the other fields of its form.
      queryKey: ['look-up', id, typed],
      queryFn: ({ signal }) => {
        const filledValues = Object.keys(field.optionsFrom?.fills ?? {}).flatMap(
          (filled) => textAt(filled)?.trim() || [],
        );
        return lookUp(client, field, { typed, value, filledValues }, signal);
      },
      gcTime: 0,
      retry: false,
    });
  const { data, isPending, isPlaceholderData } = useQuery({
    ...foundQuery(settled ?? ''),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const found = (isAsked && data) || NO_MATCHES;
  const isOfTypedText = requested === settled && !isPlaceholderData && !isPending;
  const choose = (option: LookUpOption) => {
    request(null);
    onChoose(option);
  };
  const chooseFirst = async (typed: string) => {
    awaited.current = typed;
    const answer = await client.query(foundQuery(typed)).catch(() => NO_MATCHES);
    const option = answer.options[firstOf(answer, typed)];
    if (option && awaited.current === typed) choose(option);
  };
  const list = useCombobox({
    options: found.options,
    keyOf: keyOfOption,
    isOpen: true,
    // The options of an earlier text stay in the list, but Enter does not choose one of them.
    first: isOfTypedText ? firstOf(found, settled ?? '') : -1,
    onChoose: choose,
    onOpen: disabled ? undefined : () => request(''),
    onClose: () => request(null),
  });
  return {
    found,
    list,
    /** looks up the datasets that match a text */
    ask: (typed: string) => {
      list.reset();
      request(typed);
    },
    isAsked: requested !== null,
    /**
     * Enter before the options of the typed text are known: the first one is chosen as soon as it is, unless the text
     * changes by then. @returns whether there is something to wait for
     */
    onEarlyEnter: (): boolean => {
      if (disabled || requested === null || requested.trim() === '' || isOfTypedText) return false;
      void chooseFirst(requested);
      return true;
    },
    /** What the first option would fill in must not come after a save, or after Escape. */
    stopWaiting,
  };
}

export const keyOfOption = ({ jrid }: LookUpOption): string => jrid;

export type LookUp = ReturnType<typeof useLookUp>;
