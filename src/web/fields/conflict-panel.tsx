import * as texts from '#messages/conflicts.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { OldValue } from '#web/ui/field.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { matches } from '#web/ui/shortcuts.ts';
import shared from '#web/ui/shared.module.css';
import classes from './conflict-panel.module.css';

/** In the order of their keys, from 1. `base`: the value before both changed it. */
const SIDES = ['theirs', 'mine', 'base'] as const;
export type Side = (typeof SIDES)[number];

/** The values of a field on each side, as people read them. */
export interface Difference extends Readonly<Record<Side, string | null>> {
  /** identifies the field in its panel */
  readonly path: string;
  readonly label: string;
}

export interface ConflictPanelProps {
  /** what somebody else has changed */
  readonly title: ReactNode;
  /** the fields that both sides have changed to different values */
  readonly conflicts: readonly Difference[];
  /** fields whose new value of the other side is kept without a choice */
  readonly changedByOther?: readonly Difference[];
  /** fields whose new value of the user is kept without a choice */
  readonly changedByUser?: readonly Difference[];
  /** what the button does with the chosen values: `take` puts them into a form that is still to be saved */
  readonly action: 'save' | 'take';
  /** called once a side is chosen for each conflict. @param choices by the paths of the fields */
  readonly onResolve: (choices: ReadonlyMap<string, Side>) => void;
  /** leaves the conflicts open; missing: what is around the panel does that */
  readonly onCancel?: () => void;
  /** whether the panel has the focus from the start; the keys choose while the focus is in it */
  readonly takesFocus?: boolean;
}

/** Somebody else has changed the same fields: shows their values of each side, of which the user chooses one. */
export function ConflictPanel(props: ConflictPanelProps) {
  const { title, conflicts, changedByOther = [], changedByUser = [], onResolve, onCancel } = props;
  const { choices, current, isDone, choose, step } = useChoices(conflicts);
  const panel = useRef<HTMLDivElement>(null);
  const { takesFocus = false } = props;
  useEffect(() => {
    if (takesFocus) panel.current?.focus();
  }, [takesFocus]);

  const confirm = () => {
    if (isDone) onResolve(choices);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Arrow keys belong to the focused radio group.
    if (event.target instanceof HTMLInputElement && event.key.startsWith('Arrow')) {
      event.stopPropagation();
      return;
    }
    const side = SIDES[Number(event.key) - 1];
    if (side && current && matches(event.key, event)) choose(current, side);
    else if (matches('ArrowDown', event)) step(1);
    else if (matches('ArrowUp', event)) step(-1);
    else if (matches('Enter', event) && !(event.target instanceof HTMLButtonElement)) confirm();
    else if (matches('Escape', event) && onCancel) onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // The keys choose for the current field; all of it is also operable without them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={panel}
      role="group"
      tabIndex={-1}
      aria-label={texts.changedMeanwhile}
      className={classes.panel}
      data-conflict-panel
      onKeyDown={onKeyDown}
    >
      <h3 className={shared.heading}>{title}</h3>
      <KeyHint hasConflict={conflicts.length > 0} />
      {conflicts.map((conflict) => (
        <ConflictField
          key={conflict.path}
          conflict={conflict}
          isCurrent={conflict === current}
          chosen={choices.get(conflict.path)}
          onChoose={(side) => choose(conflict, side)}
        />
      ))}
      <ChangeList title={texts.takenOver} differences={changedByOther} side="theirs" />
      <ChangeList title={texts.yoursStay} differences={changedByUser} side="mine" />
      <div className={classes.buttons}>
        <Button onClick={confirm} disabled={!isDone}>
          {texts.actions[props.action](conflicts.length)}
        </Button>
        {onCancel && (
          <Button variant="subtle" color="gray" onClick={onCancel}>
            {texts.backToForm}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The keys that choose. */
function KeyHint({ hasConflict }: { readonly hasConflict: boolean }) {
  const enter = <Kbd key="enter" keys="Enter" />;
  return (
    <p className={shared.note}>
      <RichText
        text={
          hasConflict
            ? texts.choose({
                theirs: <Kbd key="1" keys="1" />,
                yours: <Kbd key="2" keys="2" />,
                before: <Kbd key="3" keys="3" />,
                enter,
              })
            : texts.noConflict(enter)
        }
      />
    </p>
  );
}

/** The chosen side of each conflict, and the conflict for which the keys choose; undefined: there is none. */
function useChoices(conflicts: readonly Difference[]) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const [currentIndex, setCurrentIndex] = useState(0);
  return {
    choices,
    current: conflicts[currentIndex],
    isDone: conflicts.every(({ path }) => choices.has(path)),
    /** chooses, and moves to the first conflict without a choice */
    choose: (conflict: Difference, side: Side) => {
      const next = new Map(choices).set(conflict.path, side);
      setChoices(next);
      const open = conflicts.findIndex(({ path }) => !next.has(path));
      setCurrentIndex(open < 0 ? conflicts.indexOf(conflict) : open);
    },
    step: (by: 1 | -1) =>
      setCurrentIndex(Math.max(0, Math.min(currentIndex + by, conflicts.length - 1))),
  };
}

interface ConflictFieldProps {
  readonly conflict: Difference;
  /** whether the keys choose for it */
  readonly isCurrent: boolean;
  readonly chosen: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

/** A field that both have changed, with its values to choose from. */
function ConflictField({ conflict, isCurrent, chosen, onChoose }: ConflictFieldProps) {
  const id = useId();
  return (
    <fieldset className={classes.field} data-current={isCurrent || undefined}>
      <legend className={classes.label}>{conflict.label}</legend>
      <div className={classes.sides}>
        {SIDES.map((side) => (
          <label
            key={side}
            className={classes.choice}
            data-checked={chosen === side || undefined}
            htmlFor={`${id}-${side}`}
          >
            <span className={classes.word}>
              <input
                id={`${id}-${side}`}
                type="radio"
                name={id}
                checked={chosen === side}
                onChange={() => onChoose(side)}
              />{' '}
              {texts.sides[side]}
            </span>{' '}
            <OldText text={conflict[side]} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface ChangeListProps {
  readonly title: string;
  readonly differences: readonly Difference[];
  /** whose values are shown */
  readonly side: Side;
}

function ChangeList({ title, differences, side }: ChangeListProps) {
  if (differences.length === 0) return null;
  return (
    <div className={classes.others}>
      <h4 className={classes.label}>{title}</h4>
      <ul>
        {differences.map((difference) => (
          <li key={difference.path}>
            {difference.label}: <OldText text={difference[side]} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function OldText({ text }: { readonly text: string | null }) {
  return text === null || text === '' ? (
    <OldValue value={text} />
  ) : (
    <span className={classes.text}>{text}</span>
  );
}
