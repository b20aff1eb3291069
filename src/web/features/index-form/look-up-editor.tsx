import { Popover, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { type EditorProps, valueOf } from '#web/ui/fields/editor.ts';
import { tied } from '#web/ui/fields/tied.tsx';
import {
  type Fill,
  lookUp,
  type LookedUp,
  type LookUpOption,
  type OptionsFrom,
} from './look-up.ts';
import classes from './look-up.module.css';

interface LookUpEditorProps extends EditorProps {
  readonly from: OptionsFrom;
  /** fills other fields from the chosen dataset */
  readonly onFill: (fills: readonly Fill[]) => void;
  /** what stands in another index field now */
  readonly textAt: (field: string) => string | null;
}

const PAUSE_AFTER_TYPING = 150;
const NOTHING: LookedUp = { options: [], total: 0 };

/** A value with the datasets of a table to choose from; choosing one fills other fields. Any other value can be typed. */
export function LookUpEditor(props: LookUpEditorProps) {
  const { from, onFill, textAt, control, value, onChange, emptyAs, onBlur } = props;
  const { ref, readOnly = false } = props;
  const client = useQueryClient();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  // What is looked up: null where nobody asks, '' before anything is typed.
  const [asked, setAsked] = useState<string | null>(null);
  const [found, setFound] = useState<LookedUp>(NOTHING);
  const [active, setActive] = useState(-1);

  const look = useEffectEvent(async (typed: string, signal: AbortSignal) => {
    const beside = Object.keys(from.fills).flatMap((field) => textAt(field)?.trim() || []);
    try {
      const now = await lookUp(client, from, { typed, value: value ?? '', beside }, signal);
      if (signal.aborted) return;
      setFound(now);
      // Whoever types is looking for something; whoever only comes by changes nothing by Enter.
      setActive(typed.trim() === '' || now.options.length === 0 ? -1 : 0);
    } catch {
      // The table is a convenience: without it one simply types.
    }
  });
  useEffect(() => {
    if (asked === null || readOnly) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => void look(asked, abort.signal), PAUSE_AFTER_TYPING);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked, readOnly]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const { options, total } = found;
  const open = asked !== null && options.length > 0 && !readOnly;
  const close = () => {
    setAsked(null);
    setFound(NOTHING);
    setActive(-1);
  };
  const choose = (option: LookUpOption) => {
    onChange(option.value);
    onFill(option.fills);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = open ? options[active] : undefined;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && !readOnly) {
      if (!open) setAsked('');
      else
        setActive(
          active < 0 && by < 0
            ? options.length - 1
            : (active + by + options.length) % options.length,
        );
    } else if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Escape' && open) close();
    else {
      // A number that was typed in full is a choice, also for those who go on at once.
      if (event.key === 'Tab' && chosen && chosen.value === value) choose(chosen);
      return;
    }
    event.preventDefault();
  };

  return (
    <Popover
      opened={open}
      position="bottom-end"
      width={340}
      offset={3}
      shadow="md"
      trapFocus={false}
      // The input is a combobox and says itself what belongs to it.
      withRoles={false}
      // In the form's landmark, and yet not cut off at its edges.
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Popover.Target popupType="listbox">
        <TextInput
          {...tied(control)}
          ref={ref}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
          autoComplete="off"
          readOnly={readOnly}
          value={value ?? ''}
          onClick={() => setAsked(asked ?? '')}
          onBlur={() => {
            close();
            onBlur?.();
          }}
          onChange={(event) => {
            const text = event.currentTarget.value;
            setAsked(text);
            onChange(valueOf(text, emptyAs));
          }}
          onKeyDown={onKeyDown}
        />
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown ?? ''}>
        <div ref={list} id={listId} role="listbox" aria-label="Datasets" className={classes.list}>
          {options.map((option, at) => (
            // The keys are heard by the input, which keeps the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={option.jrid}
              id={`${listId}-${at}`}
              role="option"
              aria-selected={at === active}
              className={classes.option}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              <span className={classes.value}>{option.value}</span>
              <span className={classes.fills}>{wordsOf(option)}</span>
              <span className={classes.more}>{option.more.join(' · ')}</span>
            </div>
          ))}
        </div>
        <p className={classes.foot}>
          {total !== null && total > options.length
            ? `${options.length} of ${total.toLocaleString('en')}: type more to find others`
            : '↓ and Enter choose one'}
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}

function wordsOf({ fills }: LookUpOption): string {
  return fills.flatMap(({ text }) => text ?? []).join(' · ');
}
