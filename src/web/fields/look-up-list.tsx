import { formatCount } from '#shared/messages/format.ts';
import type { LookUpOption } from './look-up.ts';
import classes from './look-up.module.css';
import type { LookUp } from './use-look-up.ts';

interface LookUpListProps {
  readonly look: LookUp;
  readonly onChoose: (option: LookUpOption) => void;
}

/** The datasets to choose from. Its keys are heard by the input, which keeps the focus (ARIA's combobox pattern). */
export function LookUpList({ look, onChoose }: LookUpListProps) {
  const { found, active, list, listId } = look;
  const { options, total } = found;
  return (
    <>
      <div ref={list} id={listId} role="listbox" aria-label="Records" className={classes.list}>
        {options.map((option, at) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={option.jrid}
            id={`${listId}-${at}`}
            role="option"
            aria-selected={at === active}
            className={classes.option}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            <span className={classes.value}>{option.value}</span>
            <span className={classes.fills}>{option.beside.join(' · ')}</span>
            <span className={classes.more}>{option.more.join(' · ')}</span>
          </div>
        ))}
      </div>
      <p className={classes.foot}>
        {total !== null && total > options.length
          ? `${options.length} of ${formatCount(total)}: type more to find others`
          : '↓ and Enter choose one'}
      </p>
    </>
  );
}
