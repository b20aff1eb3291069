import * as texts from '#messages/documents.ts';
import { IconButton } from '#web/ui/button.tsx';
import { CloseIcon, SortDownIcon, SortUpIcon } from '#web/ui/icons.tsx';
import classes from './viewer.module.css';

interface FindBarProps {
  readonly query: string;
  /** null while the text is loading */
  readonly count: number | null;
  /** the current hit, from 0 */
  readonly index: number;
  readonly onQuery: (query: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
  /** shown instead of the number of hits */
  readonly notice?: string | undefined;
}

/** Search in the text of a document. */
export function FindBar({ query, count, index, onQuery, onStep, onClose, notice }: FindBarProps) {
  const status = notice ?? (query.trim() === '' ? '' : hitsText(count, index));
  return (
    <search className={classes.find}>
      <input
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        className={classes.findField}
        ref={(input) => input?.focus()}
        value={query}
        onChange={({ target: { value } }) => onQuery(value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status" className={classes.found}>
        {status}
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

function hitsText(count: number | null, index: number): string {
  if (count === null) return texts.searching;
  if (count === 0) return texts.notFound;
  return texts.hitOf({ number: index + 1, count });
}
