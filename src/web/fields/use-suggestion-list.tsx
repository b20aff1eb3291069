import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { SuggestionList } from './suggestion-list.tsx';
import { type Suggest, useSuggestions } from './use-suggestions.ts';

interface SuggestionListOptions {
  /** values in use; undefined: nothing is offered here */
  readonly suggest: Suggest | undefined;
  /** whether a value can stand in the editor */
  readonly fits?: (value: string) => boolean;
  /** whether ↓ asks for values where none are offered yet */
  readonly opens: boolean;
  readonly onChoose: (value: string) => void;
}

/** What ties an editor to the list of values that are offered to it. */
interface TiedToList {
  readonly 'aria-autocomplete': 'list' | undefined;
  readonly 'aria-controls'?: string;
  readonly 'aria-activedescendant'?: string | undefined;
  readonly 'data-mantine-stop-propagation'?: true;
}

/** A list of values below an editor, which keeps the focus and hears the keys: ↓ and ↑, Enter, Escape. */
export function useSuggestionList({ suggest, fits, opens, onChoose }: SuggestionListOptions) {
  const { offered, asked, ask } = useSuggestions(suggest);
  const id = useId();
  const [picked, setPicked] = useState<string | null>(null);
  const values = fits ? offered.filter(fits) : offered;
  const open = asked !== null && values.length > 0;
  const active = open && picked !== null ? values.indexOf(picked) : -1;
  const close = () => {
    ask(null);
    setPicked(null);
  };
  const choose = (value: string) => {
    onChoose(value);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, nativeEvent } = event;
    if (nativeEvent.isComposing || ctrlKey || metaKey || altKey || shiftKey) return;
    const chosen = values[active];
    if (open && (key === 'ArrowDown' || key === 'ArrowUp')) {
      setPicked(values[stepped(active, key === 'ArrowDown' ? 1 : -1, values.length)] ?? null);
    } else if (key === 'ArrowDown' && suggest && opens) ask('');
    else if (key === 'Enter' && chosen !== undefined) choose(chosen);
    else if (key === 'Escape' && open) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const tied: TiedToList = {
    'aria-autocomplete': suggest ? 'list' : undefined,
    ...(open && {
      'aria-controls': id,
      'aria-activedescendant': active < 0 ? undefined : `${id}-${active}`,
      // A dialog of the component library is not closed by the Escape that closes the list.
      'data-mantine-stop-propagation': true,
    }),
  };
  const list: ReactNode = open && (
    <SuggestionList id={id} values={values} active={active} onChoose={choose} />
  );
  return { id, ask: suggest ? ask : () => undefined, open, close, onKeyDown, tied, list };
}

/** The next of so many values, or the one before; what is typed (-1) comes between the last and the first. */
function stepped(active: number, by: 1 | -1, count: number): number {
  return ((active + 1 + by + count + 1) % (count + 1)) - 1;
}
