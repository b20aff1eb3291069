import { type KeyboardEvent, useId } from 'react';
import * as texts from '#messages/value-cleanup.ts';
import { formatCount } from '#shared/messages/format.ts';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { matches } from '#web/ui/shortcuts.ts';
import type { Choice, Cluster } from './cluster-choices.ts';
import { CLEANUP_KEYS } from './cleanup-keys.ts';
import shared from '#web/ui/shared.module.css';
import classes from './value-cleanup.module.css';

interface ClusterItemProps {
  readonly cluster: Cluster;
  readonly choice: Choice;
  /** null: the values are read-only */
  readonly onChoice: ((choice: Choice) => void) | null;
  /** moves the focus to the next or previous cluster */
  readonly onMove: (by: 1 | -1) => void;
}

/** Invisible spaces that distinguish values: at the ends, several in a row, and special ones. */
const INVISIBLE_WHITESPACE = /^\s+|\s+$|\s{2,}|[^\S ]/gu;

const withVisibleSpaces = (value: string) =>
  value.replace(INVISIBLE_WHITESPACE, (spaces) => '␣'.repeat(spaces.length));

/** Values that are nearly equal: which of them is right, and which stay unchanged. */
export function ClusterItem({ cluster, choice, onChoice, onMove }: ClusterItemProps) {
  const id = useId();
  const { isChosen, right, unchanged } = choice;
  const change = (changed: Partial<Choice>) => onChoice?.({ ...choice, ...changed });
  const onKeyDown = (event: KeyboardEvent) => {
    const is = (name: keyof typeof CLEANUP_KEYS) => matches(CLEANUP_KEYS[name], event);
    if (is('next')) onMove(1);
    else if (is('previous')) onMove(-1);
    else if (is('accept') || is('refuse')) {
      change({ isChosen: is('accept') });
      onMove(1);
    } else return;
    event.preventDefault();
  };
  return (
    // Its shortcuts apply wherever the focus is inside it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className={classes.cluster}
      data-chosen={isChosen || undefined}
      data-cluster
      onKeyDown={onKeyDown}
    >
      <div className={classes.head}>
        {onChoice ? (
          <Checkbox
            label={texts.correctTo(right)}
            checked={isChosen}
            onChange={(event) => change({ isChosen: event.currentTarget.checked })}
          />
        ) : (
          <span>{right}</span>
        )}
        <span className={shared.note}>
          {texts.clusterWords({ records: cluster.count, distance: cluster.distance })}
        </span>
      </div>
      <div role="radiogroup" aria-label={texts.rightValue(right)} className={classes.values}>
        {cluster.values.map(({ value, count }) => (
          <div
            key={value}
            className={classes.value}
            data-unchanged={(value !== right && unchanged.includes(value)) || undefined}
          >
            <label className={classes.radio}>
              <input
                type="radio"
                name={id}
                checked={value === right}
                disabled={!onChoice}
                onChange={() =>
                  change({ right: value, unchanged: unchanged.filter((one) => one !== value) })
                }
              />
              <span className={classes.text}>{withVisibleSpaces(value)}</span>
              <span className={classes.count}>{formatCount(count)}</span>
            </label>
            {onChoice && value !== right && (
              <Checkbox
                label={texts.keep}
                aria-label={texts.keepValue(value)}
                checked={unchanged.includes(value)}
                onChange={(event) =>
                  change({
                    unchanged: event.currentTarget.checked
                      ? [...unchanged, value]
                      : unchanged.filter((one) => one !== value),
                  })
                }
              />
            )}
          </div>
        ))}
      </div>
    </li>
  );
}
