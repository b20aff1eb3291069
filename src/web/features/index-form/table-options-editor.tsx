import { Autocomplete } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { type EditorProps, valueOf } from '#web/ui/fields/editor.ts';
import classes from './index-form.module.css';
import {
  type Fill,
  type OptionsFrom,
  readTableOptions,
  type TableOption,
} from './table-options.ts';
import { tied } from '#web/ui/fields/tied.tsx';

interface TableOptionsEditorProps extends EditorProps {
  readonly from: OptionsFrom;
  readonly onFill: (fills: readonly Fill[]) => void;
}

const PAUSE_AFTER_TYPING = 150;

/** A value with the datasets of a table to choose from; choosing one fills other fields. Any other value can be typed. */
export function TableOptionsEditor(props: TableOptionsEditorProps) {
  const { from, onFill, control, value, onChange, emptyAs, onBlur, ref, readOnly = false } = props;
  const client = useQueryClient();
  const [asked, setAsked] = useState<string | null>(null);
  const [options, setOptions] = useState<readonly TableOption[]>([]);
  const ask = useEffectEvent(async (typed: string, signal: AbortSignal) => {
    try {
      const found = await readTableOptions(client, from, typed, signal);
      if (!signal.aborted) setOptions(found);
    } catch {
      // The table is a convenience: without it one simply types.
    }
  });
  useEffect(() => {
    if (asked === null) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => void ask(asked, abort.signal), PAUSE_AFTER_TYPING);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked]);

  return (
    <Autocomplete
      {...tied(control)}
      ref={ref}
      readOnly={readOnly}
      data={options.map((option) => option.value)}
      // The server has chosen already.
      filter={({ options: all }) => all}
      renderOption={({ option }) => (
        <>
          {option.value}
          <span className={classes.optionWords}>{wordsOf(options, option.value)}</span>
        </>
      )}
      value={value ?? ''}
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
      onOptionSubmit={(chosen) => {
        const option = options.find((candidate) => candidate.value === chosen);
        if (option) onFill(option.fills);
      }}
    />
  );
}

function wordsOf(options: readonly TableOption[], value: string): string {
  const fills = options.find((option) => option.value === value)?.fills ?? [];
  return fills.flatMap(({ text }) => text ?? []).join(' · ');
}
