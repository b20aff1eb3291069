import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { RevisionRead } from '#web/api/revisions.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { OldValue } from '#web/ui/field.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { matches } from '#web/ui/shortcuts.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { compare, settle, type Side } from './conflict.ts';
import classes from './conflict-panel.module.css';
import type { Edits } from './form-values.ts';

interface ConflictPanelProps {
  readonly archive: ArchiveDetail;
  readonly base: RevisionRead;
  readonly theirs: RevisionRead;
  readonly edits: Edits;
  /** what settling leads to: “Save with these values” */
  readonly verb: string;
  /** what is left of the clerk's edits on top of the other version */
  readonly onSettle: (edits: Edits) => void;
  readonly onCancel: () => void;
}

/** Somebody changed the revision meanwhile: both values field by field, and the clerk chooses. */
export function ConflictPanel(props: ConflictPanelProps) {
  const { archive, base, theirs, edits, verb, onSettle, onCancel } = props;
  const comparison = compare(archive, base.revision, theirs.revision, edits);
  const { conflicts, taken, kept } = comparison;
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const [at, setAt] = useState(0);
  const panel = useRef<HTMLDivElement>(null);
  const group = useId();
  const done = conflicts.every(({ place }) => choices.has(place));
  useEffect(() => panel.current?.focus(), []);

  const choose = (place: string, side: Side) => {
    const next = new Map(choices).set(place, side);
    setChoices(next);
    const open = conflicts.findIndex((conflict) => !next.has(conflict.place));
    setAt(open < 0 ? conflicts.findIndex((conflict) => conflict.place === place) : open);
  };
  const confirm = () => {
    if (done) onSettle(settle(edits, comparison, choices, { archive, revision: base.revision }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const here = conflicts[at];
    // Arrow keys belong to the radio group that has the focus.
    if (event.target instanceof HTMLInputElement && event.key.startsWith('Arrow')) {
      event.stopPropagation();
      return;
    }
    if (matches('1', event) && here) choose(here.place, 'theirs');
    else if (matches('2', event) && here) choose(here.place, 'mine');
    else if (matches('3', event) && here) choose(here.place, 'base');
    else if (matches('ArrowDown', event)) setAt(Math.min(at + 1, conflicts.length - 1));
    else if (matches('ArrowUp', event)) setAt(Math.max(at - 1, 0));
    else if (matches('Enter', event) && done && event.target === panel.current) confirm();
    else if (matches('Escape', event)) onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const { changedBy, changedAt } = theirs.revision;
  return (
    // Keys choose for the field at hand; everything in it can be reached without them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={panel}
      role="group"
      tabIndex={-1}
      aria-label="Changed meanwhile"
      className={classes.panel}
      onKeyDown={onKeyDown}
    >
      <h3 className={classes.title}>
        <PersonName username={changedBy} /> changed this revision while you were at it (
        {localInstant(changedAt)}).
      </h3>
      {conflicts.length > 0 ? (
        <p className={classes.hint}>
          Choose for each field: <Kbd keys="1" /> theirs, <Kbd keys="2" /> yours, <Kbd keys="3" />{' '}
          the value before both, <Kbd keys="Enter" /> when all are chosen.
        </p>
      ) : (
        <p className={classes.hint}>
          None of the fields that you changed is among them. Press <Kbd keys="Enter" /> to continue.
        </p>
      )}
      {conflicts.map((conflict, place) => (
        <fieldset
          key={conflict.place}
          className={classes.field}
          data-here={place === at || undefined}
        >
          <legend className={classes.label}>{conflict.label}</legend>
          <div className={classes.sides}>
            <Choice
              group={`${group}-${conflict.place}`}
              word="Theirs"
              text={conflict.theirs}
              checked={choices.get(conflict.place) === 'theirs'}
              onChoose={() => choose(conflict.place, 'theirs')}
            />
            <Choice
              group={`${group}-${conflict.place}`}
              word="Yours"
              text={conflict.mine}
              checked={choices.get(conflict.place) === 'mine'}
              onChoose={() => choose(conflict.place, 'mine')}
            />
            <Choice
              group={`${group}-${conflict.place}`}
              word="Before"
              text={conflict.base}
              checked={choices.get(conflict.place) === 'base'}
              onChoose={() => choose(conflict.place, 'base')}
            />
          </div>
        </fieldset>
      ))}
      {taken.length > 0 && (
        <Others
          title="Taken over from them"
          differences={taken.map((one) => [one.label, one.theirs])}
        />
      )}
      {kept.length > 0 && (
        <Others title="Yours stay" differences={kept.map((one) => [one.label, one.mine])} />
      )}
      <div className={classes.buttons}>
        <Button onClick={confirm} disabled={!done}>
          {verb}
        </Button>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Back to the form
        </Button>
      </div>
    </div>
  );
}

interface ChoiceProps {
  /** the `name` that the radios of one field share */
  readonly group: string;
  readonly word: string;
  readonly text: string | null;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

function Choice({ group, word, text, checked, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <label className={classes.choice} data-checked={checked || undefined} htmlFor={id}>
      <span className={classes.word}>
        <input id={id} type="radio" name={group} checked={checked} onChange={onChoose} /> {word}
      </span>
      <OldText text={text} />
    </label>
  );
}

interface OthersProps {
  readonly title: string;
  readonly differences: readonly (readonly [label: string, text: string | null])[];
}

function Others({ title, differences }: OthersProps) {
  return (
    <div className={classes.others}>
      <h4 className={classes.label}>{title}</h4>
      <ul>
        {differences.map(([label, text]) => (
          <li key={label}>
            {label}: <OldText text={text} />
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
