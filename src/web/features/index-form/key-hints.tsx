import type { ReactNode } from 'react';
import { Kbd } from '#web/ui/kbd.tsx';
import { KEYS } from './form-keys.ts';
import { isBlank } from './field-value.ts';
import classes from './input-assist.module.css';
import type { FormInputAssist } from './use-input-assist.ts';

interface KeyHintsProps {
  readonly aids: FormInputAssist;
  /** the field that the cursor is in, or was in last */
  readonly here: string | null;
  readonly label: string | undefined;
  /** whether that field is changed */
  readonly changed: boolean;
}

/**
 * What the keys that save typing would do in this field now. Each can be clicked as well; the Tab key
 * goes past them, as their keys are at hand.
 */
export function KeyHints({ aids, here, label, changed }: KeyHintsProps) {
  const ditto = here === null ? undefined : aids.dittoAt(here);
  const pinned = here !== null && aids.pins.has(here);
  return (
    <p className={classes.hints}>
      {ditto && (
        <Hint keys={KEYS.ditto} onPress={aids.ditto} label={`Copy ${label} from ${ditto.from}`}>
          {isBlank(ditto.value) ? (
            <em>no value</em>
          ) : (
            <span className={classes.same}>{ditto.shown}</span>
          )}{' '}
          from previous
        </Hint>
      )}
      {changed && (
        <Hint keys={KEYS.restoreField} onPress={aids.revertHere} label={`Restore ${label} by key`}>
          restore
        </Hint>
      )}
      {here !== null && (changed || pinned) && (
        <Hint keys={KEYS.carry} onPress={aids.pinHere} label={`Carry over ${label} by key`}>
          {pinned ? 'stop carrying over' : 'carry over'}
        </Hint>
      )}
      {aids.isOpen() && (
        <Hint keys={KEYS.nextOpen} onPress={() => aids.jump(1)} label="Next empty or wrong field">
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
