import * as texts from '#messages/documents.ts';
import { useState } from 'react';
import { formatCount } from '#shared/messages/format.ts';
import { IconButton } from '#web/ui/button.tsx';
import { CloseIcon, SortDownIcon, SortUpIcon } from '#web/ui/icons.tsx';
import classes from './viewer.module.css';

interface FindBarProps {
  /** null while the text is loading */
  readonly count: number | null;
  /** the current hit, from 0 */
  readonly at: number;
  readonly onQuery: (query: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
  /** shown instead of the number of hits */
  readonly notice?: string | undefined;
}

/** Search in the text of a document. */
export function FindBar({ count, at, onQuery, onStep, onClose, notice }: FindBarProps) {
  const [typed, setTyped] = useState('');
  const said = notice ?? (typed.trim() === '' ? '' : hitsInWords(count, at));
  return (
    <search className={classes.find}>
      <input
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        className={classes.findField}
        ref={(input) => input?.focus()}
        value={typed}
        onChange={({ target: { value } }) => {
          setTyped(value);
          onQuery(value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status" className={classes.found}>
        {said}
      </span>
      <IconButton aria-label={texts.previousHit} onClick={() => onStep(-1)}>
        <SortUpIcon size={14} />
      </IconButton>
      <IconButton aria-label={texts.nextHit} onClick={() => onStep(1)}>
        <SortDownIcon size={14} />
      </IconButton>
      <IconButton aria-label={texts.closeSearch} onClick={onClose}>
        <CloseIcon size={14} />
      </IconButton>
    </search>
  );
}

function hitsInWords(count: number | null, at: number): string {
  if (count === null) return 'Searching…';
  if (count === 0) return texts.notFound;
  return `${formatCount(at + 1)} of ${formatCount(count)}`;
}
