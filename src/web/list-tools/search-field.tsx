import * as texts from '#messages/lists.ts';
import { useRef, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { CloseIcon, SearchIcon } from '../ui/icons.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import inputClasses from '../ui/inputs/input.module.css';
import { useCommittedInput } from '#web/ui/use-committed-input.ts';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';
import classes from './search-field.module.css';

interface SearchFieldProps {
  /** the label for screen readers: “Search in Suppliers” */
  readonly label: string;
  readonly q: string;
  readonly onChange: (q: string) => void;
}

const PAUSE_AFTER_TYPING = 250;

/**
 * Searches a list by words; `/` focuses it. Typed text takes effect after a short pause, or with Enter, or with ↓, which
 * moves to the list (`useGridEntry`).
 */
export function SearchField({ label, q, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(q);
  const search = useCommittedInput(q, onChange, setTyped);
  const input = useRef<HTMLInputElement>(null);
  useDebouncedEffect(typed, PAUSE_AFTER_TYPING, search);
  useShortcut('/', () => input.current?.select());

  return (
    <div className={classes.search}>
      <span className={classes.glass}>
        <SearchIcon size={14} />
      </span>
      <input
        ref={input}
        className={`${inputClasses.box} ${classes.line}`}
        type="search"
        data-list-search
        aria-label={label}
        placeholder={texts.search}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          const isDown = event.key === 'ArrowDown' && !event.nativeEvent.isComposing;
          if (isDown || event.key === 'Enter') search(typed);
        }}
      />
      {typed !== '' && (
        <IconButton
          size={20}
          className={classes.clear ?? ''}
          aria-label={texts.clearSearch}
          onClick={() => {
            setTyped('');
            search('');
            input.current?.focus();
          }}
        >
          <CloseIcon size={12} />
        </IconButton>
      )}
    </div>
  );
}
