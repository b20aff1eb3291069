import * as texts from '#messages/index-form.ts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { OldValue } from '#web/ui/field.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { matches } from '#web/ui/shortcuts.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { compareVersions, type Difference, resolveConflicts, type Side } from './conflict.ts';
import shared from '#web/ui/shared.module.css';
import classes from './conflict-panel.module.css';
import { type FormEdits } from './form-values.ts';

/** In the order of their shortcuts, from 1. */
const SIDES = ['theirs', 'mine', 'base'] as const satisfies readonly Side[];

interface ConflictPanelProps {
  readonly archive: ArchiveDetail;
  readonly base: VersionedRevision;
  readonly theirs: VersionedRevision;
  readonly edits: FormEdits;
  /** the label of the button */
  readonly submitLabel: string;
  /** the remaining edits, based on the other version */
  readonly onResolve: (edits: FormEdits) => void;
  readonly onCancel: () => void;
}

/** The revision was changed by someone else: shows both values field by field for the user to choose. */
export function ConflictPanel(props: ConflictPanelProps) {
  const { archive, base, theirs, edits, submitLabel, onResolve, onCancel } = props;
  const comparison = compareVersions(archive, base.revision, theirs.revision, edits);
  const { conflicts, changedByOther, changedByUser } = comparison;
  const { choices, current, isDone, choose, step } = useChoices(conflicts);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);

  const confirm = () => {
    if (isDone)
      onResolve(resolveConflicts(edits, comparison, choices, { archive, revision: base.revision }));
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
    else if (matches('Enter', event) && isDone && event.target === panel.current) confirm();
    else if (matches('Escape', event)) onCancel();
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
      onKeyDown={onKeyDown}
    >
      <Introduction theirs={theirs} hasConflict={conflicts.length > 0} />
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
          {submitLabel}
        </Button>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          {texts.backToForm}
        </Button>
      </div>
    </div>
  );
}

interface IntroductionProps extends Pick<ConflictPanelProps, 'theirs'> {
  readonly hasConflict: boolean;
}

/** Who changed the revision and when, and the keys that choose. */
function Introduction({ theirs: { revision }, hasConflict }: IntroductionProps) {
  const enter = <Kbd key="enter" keys="Enter" />;
  return (
    <>
      <h3 className={shared.heading}>
        <RichText
          text={texts.changedWhileOpen(
            <PersonName key="by" username={revision.changedBy} />,
            localInstant(revision.changedAt),
          )}
        />
      </h3>
      <p className={shared.note}>
        <RichText
          text={
            hasConflict
              ? texts.chooseForEach({
                  theirs: <Kbd key="1" keys="1" />,
                  yours: <Kbd key="2" keys="2" />,
                  before: <Kbd key="3" keys="3" />,
                  enter,
                })
              : texts.noConflict(enter)
          }
        />
      </p>
    </>
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
  const group = useId();
  return (
    <fieldset className={classes.field} data-current={isCurrent || undefined}>
      <legend className={classes.label}>{conflict.label}</legend>
      <div className={classes.sides}>
        {SIDES.map((side) => (
          <Choice
            key={side}
            group={group}
            label={texts.sides[side]}
            text={conflict[side]}
            checked={chosen === side}
            onChoose={() => onChoose(side)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface ChoiceProps {
  /** the `name` that the radios of one field share */
  readonly group: string;
  readonly label: string;
  readonly text: string | null;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

function Choice({ group, label, text, checked, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <label className={classes.choice} data-checked={checked || undefined} htmlFor={id}>
      <span className={classes.word}>
        <input id={id} type="radio" name={group} checked={checked} onChange={onChoose} /> {label}
      </span>
      <OldText text={text} />
    </label>
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
          <li key={difference.label}>
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
