import { formatCount } from '#shared/messages/format.ts';
import classes from './count-filter.module.css';

interface Part<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** null: not shown */
  readonly count: number | null;
  /** the colour of its number while there are any */
  readonly tone?: 'good' | 'changed' | 'danger';
}

interface CountFilterProps<Name extends string> {
  readonly label: string;
  readonly parts: readonly Part<Name>[];
  readonly shown: Name | null;
  readonly onShow: (name: Name) => void;
  /** as a sentence: “3 changed”; by default “Changed 3” */
  readonly countFirst?: boolean;
}

/** The number of rows per outcome; each button shows only those. */
export function CountFilter<Name extends string>(props: CountFilterProps<Name>) {
  const { label, parts, shown, onShow, countFirst = false } = props;
  return (
    <div
      className={classes.filter}
      data-count-first={countFirst || undefined}
      role="group"
      aria-label={label}
    >
      {parts.map(({ name, label: text, count, tone }) => (
        <button
          key={name}
          type="button"
          className={classes.part}
          data-tone={count === null || count === 0 ? undefined : (tone ?? 'plain')}
          aria-pressed={shown === name}
          onClick={() => onShow(name)}
        >
          {!countFirst && `${text} `}
          {count !== null && <b>{formatCount(count)}</b>}
          {countFirst && ` ${text}`}
        </button>
      ))}
    </div>
  );
}
