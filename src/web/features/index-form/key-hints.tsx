import type { ReactNode } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { Kbd } from '#web/ui/kbd.tsx';
import { KEYS } from './form-keys.ts';
import { type FormValues, isBlank } from './form-values.ts';
import classes from './input-assist.module.css';
import type { FormInputAssist } from './use-input-assist.ts';

interface KeyHintsProps {
  readonly assist: FormInputAssist;
  readonly control: Control<FormValues>;
  /** the place of the field that has the cursor, or had it last */
  readonly current: string | null;
  readonly label: string | undefined;
  /** whether that field is changed */
  readonly isEdited: boolean;
}

/**
 * What the keys that save typing would do in this field now. Each can be clicked as well; the Tab key
 * skips them, as their keys are at hand.
 */
export function KeyHints({ assist, control, current, label, isEdited }: KeyHintsProps) {
  // What they would do depends on what is typed.
  useWatch({ control });
  const ditto = current === null ? undefined : assist.dittoAt(current);
  const isPinned = current !== null && assist.pins.has(current);
  return (
    <p className={classes.hints}>
      {ditto && (
        <Hint keys={KEYS.ditto} onPress={assist.ditto} label={`Copy ${label} from ${ditto.from}`}>
          {isBlank(ditto.value) ? (
            <em>no value</em>
          ) : (
            <span className={classes.same}>{ditto.shown}</span>
          )}{' '}
          from previous
        </Hint>
      )}
      {isEdited && (
        <Hint
          keys={KEYS.restoreField}
          onPress={assist.restoreCurrent}
          label={`Restore ${label} by key`}
        >
          restore
        </Hint>
      )}
      {current !== null && (isEdited || isPinned) && (
        <Hint keys={KEYS.carry} onPress={assist.pinCurrent} label={`Carry over ${label} by key`}>
          {isPinned ? 'stop carrying over' : 'carry over'}
        </Hint>
      )}
      {assist.hasOpen() && (
        <Hint keys={KEYS.nextOpen} onPress={() => assist.jump(1)} label="Next empty or wrong field">
          next empty
        </Hint>
      )}
    </p>
  );
}

interface HintProps {
  readonly keys: string;
  readonly label: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Hint({ keys, label, onPress, children }: HintProps) {
  return (
    <button
      type="button"
      className={classes.hint}
      tabIndex={-1}
      title={label}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Kbd keys={keys} /> {children}
    </button>
  );
}
