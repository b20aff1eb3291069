import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/index-form.ts';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { Kbd } from '#web/ui/kbd.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { isBlank } from '#web/fields/field-model.ts';
import { useFindingsAt } from './findings/use-findings.ts';
import { KEYS } from './form-keys.ts';
import classes from './input-assist.module.css';
import type { FormModel } from './use-form-model.ts';

interface KeyHintsProps {
  readonly model: FormModel;
  /** of the field that has or last had the focus */
  readonly label: string;
}

/**
 * The effect of the input shortcuts in the current field. Each can be clicked as well; they are no Tab stops, because
 * their shortcuts are available.
 */
export function KeyHints({ model, label }: KeyHintsProps) {
  const { assist, commands } = model;
  const { findings, form, edited } = model.state;
  const { current } = model.focus;
  // Their effect depends on the typed text.
  useWatch({ control: form.control });
  const previous = current === null ? undefined : assist.previousValueAt(current);
  const found = useFindingsAt(findings, current ?? '');
  const [suggestion] = found.flatMap(({ suggestions }) => suggestions);
  const isEdited = current !== null && edited.has(current);
  const isCarriedOver = current !== null && assist.carriedOver.has(current);
  return (
    <p className={classes.hints}>
      {suggestion && (
        <Hint keys={KEYS.suggestion} onPress={commands.suggestion} label={suggestion.label}>
          <span className={classes.same}>{suggestion.label}</span>
        </Hint>
      )}
      {previous && (
        <Hint
          keys={KEYS.copyPrevious}
          onPress={assist.copyPrevious}
          label={texts.copyFrom({ label, id: previous.from })}
        >
          <RichText
            text={texts.fromPrevious(
              isBlank(previous.value) ? (
                <em key="value">{commonTexts.noValue}</em>
              ) : (
                <span key="value" className={classes.same}>
                  {previous.shown}
                </span>
              ),
            )}
          />
        </Hint>
      )}
      {isEdited && (
        <Hint
          keys={KEYS.restoreField}
          onPress={assist.restoreCurrent}
          label={texts.restoreByKey(label)}
        >
          {texts.restore}
        </Hint>
      )}
      {current !== null && (isEdited || isCarriedOver) && (
        <Hint
          keys={KEYS.carryOver}
          onPress={assist.toggleCarryOverCurrent}
          label={texts.carryOverByKey(label)}
        >
          {isCarriedOver ? texts.stopCarryingOver : texts.carryOver}
        </Hint>
      )}
      {assist.hasOpen() && (
        <Hint keys={KEYS.nextOpen} onPress={() => assist.jump(1)} label={texts.nextOpenField}>
          {texts.nextEmpty}
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
