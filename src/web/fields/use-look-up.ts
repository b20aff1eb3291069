import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { lookUp, type LookedUp, type OptionsFrom } from './look-up.ts';

const PAUSE_AFTER_TYPING = 150;
const NOTHING: LookedUp = { options: [], total: 0 };

interface LookUpOptions {
  readonly from: OptionsFrom;
  /** what stands in the field */
  readonly value: string;
  /** what stands in another field now */
  readonly textAt: (field: string) => string | null;
  /** what is looked up at first: null nothing, '' before anything is typed */
  readonly first: string | null;
  /** the option to begin with, of those that were found for what was typed; -1: none */
  readonly begin: (found: LookedUp, typed: string) => number;
  readonly disabled: boolean;
}

/** The datasets that fit what is typed into a field, and which of them is about to be chosen. */
export function useLookUp(options: LookUpOptions) {
  const { from, value, textAt, disabled } = options;
  const client = useQueryClient();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState(options.first);
  const [found, setFound] = useState<LookedUp>(NOTHING);
  const [active, setActive] = useState(-1);
  const [picked, setPicked] = useState(false);

  const look = useEffectEvent(async (typed: string, signal: AbortSignal) => {
    const beside = Object.keys(from.fills).flatMap((field) => textAt(field)?.trim() || []);
    try {
      const now = await lookUp(client, from, { typed, value, beside }, signal);
      if (signal.aborted) return;
      setFound(now);
      setActive(options.begin(now, typed));
      setPicked(false);
    } catch {
      // The table is a convenience: without it one simply types.
    }
  });
  useEffect(() => {
    if (asked === null || disabled) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => void look(asked, abort.signal), PAUSE_AFTER_TYPING);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked, disabled]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const count = found.options.length;
  const open = asked !== null && count > 0 && !disabled;
  return {
    open,
    found,
    active,
    list,
    listId,
    /** the option that is about to be chosen */
    chosen: open ? found.options[active] : undefined,
    ask: setAsked,
    asked,
    /** whether the clerk has gone to it by key */
    picked,
    step: (by: number) => {
      setActive(active < 0 && by < 0 ? count - 1 : (active + by + count) % count);
      setPicked(true);
    },
    close: () => {
      setAsked(null);
      setFound(NOTHING);
      setActive(-1);
      setPicked(false);
    },
  };
}

export type LookUp = ReturnType<typeof useLookUp>;
