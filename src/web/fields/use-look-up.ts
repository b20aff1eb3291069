import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useCombobox } from '#web/ui/combobox/use-combobox.ts';
import { lookUp, type LookedUp, type LookUpField, type LookUpOption } from './look-up.ts';
import { DEBOUNCE } from './use-suggestions.ts';

const NOTHING: LookedUp = { options: [], total: 0 };

interface LookUpOptions {
  readonly field: LookUpField;
  /** what is in the field */
  readonly value: string;
  /** the present text of another field */
  readonly textAt: (field: string) => string | null;
  /** what is looked up initially: null nothing, '' before anything is typed */
  readonly initial: string | null;
  /** the initially active option among those found for a text; -1: none */
  readonly firstOf: (found: LookedUp, typed: string) => number;
  readonly disabled: boolean;
  readonly onChoose: (option: LookUpOption) => void;
}

/** The datasets that match the text typed into a field. If they cannot be read, none are offered. */
export function useLookUp(options: LookUpOptions) {
  const { field, value, textAt, initial, firstOf, disabled, onChoose } = options;
  const client = useQueryClient();
  const id = useId();
  const [requested, setRequested] = useState(initial);
  const [settled] = useDebouncedValue(requested, DEBOUNCE);
  const isAsked = requested !== null && settled !== null && !disabled;
  const { data, isPlaceholderData } = useQuery({
    // Only for this editor: the match depends on the other fields of its form.
    queryKey: ['look-up', id, settled],
    queryFn: ({ signal }) => {
      const filledValues = Object.keys(field.optionsFrom?.fills ?? {}).flatMap(
        (filled) => textAt(filled)?.trim() || [],
      );
      return lookUp(client, field, { typed: settled ?? '', value, filledValues }, signal);
    },
    enabled: isAsked,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const found = (isAsked && data) || NOTHING;
  const isOfTypedText = requested === settled && !isPlaceholderData;
  const list = useCombobox({
    options: found.options,
    keyOf: keyOfOption,
    isOpen: true,
    // The options of an earlier text stay in the list, but Enter does not choose one of them.
    first: isOfTypedText ? firstOf(found, settled ?? '') : -1,
    onChoose: (option) => {
      setRequested(null);
      onChoose(option);
    },
    onOpen: disabled ? undefined : () => setRequested(''),
    onClose: () => setRequested(null),
  });
  return {
    found,
    list,
    /** looks up the datasets that match a text */
    ask: (typed: string) => {
      list.reset();
      setRequested(typed);
    },
    isAsked: requested !== null,
  };
}

export const keyOfOption = ({ jrid }: LookUpOption): string => jrid;

export type LookUp = ReturnType<typeof useLookUp>;
