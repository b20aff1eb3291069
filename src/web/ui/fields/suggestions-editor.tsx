import { Autocomplete } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { type EditorProps, valueOf } from './editor.ts';
import { tied } from './tied.tsx';

/** Values to offer for what was typed so far, the likeliest first. */
export type Suggest = (typed: string, signal: AbortSignal) => Promise<readonly string[]>;

interface SuggestionsEditorProps extends EditorProps {
  readonly suggest: Suggest;
}

const PAUSE_AFTER_TYPING = 150;

/** One line of text with suggestions from values in use; any other text can be typed as well. */
export function SuggestionsEditor({
  suggest,
  control,
  value,
  onChange,
  emptyAs,
  onBlur,
  ...rest
}: SuggestionsEditorProps) {
  const [asked, setAsked] = useState<string | null>(null);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const offer = useEffectEvent(async (typed: string, signal: AbortSignal) => {
    try {
      const found = await suggest(typed, signal);
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

  return (
    <Autocomplete
      {...rest}
      {...tied(control)}
      data={[...offered]}
      // The server has chosen already.
      filter={({ options }) => options}
      value={value ?? ''}
      openOnFocus={false}
      onFocus={() => setAsked('')}
      onBlur={() => {
        setAsked(null);
        onBlur?.();
      }}
      onChange={(text) => {
        if (text === (value ?? '')) return;
        setAsked(text);
        onChange(valueOf(text, emptyAs));
      }}
    />
  );
}
