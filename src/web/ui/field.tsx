import * as texts from '#messages/common.ts';
import { type ReactNode, useId } from 'react';
import type { Severity } from '#shared/rules/check-words.ts';
import shared from './shared.module.css';
import classes from './field.module.css';
import { UndoIcon } from './icons.tsx';
import { keyLabel, type Shortcut } from './shortcuts.ts';

/** Connects an editor to its label and messages; `Field` creates it. */
export interface ControlProps {
  readonly id?: string | undefined;
  readonly 'aria-label'?: string | undefined;
  readonly 'aria-labelledby'?: string | undefined;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean | undefined;
  readonly 'aria-required'?: boolean | undefined;
}

interface FieldProps {
  readonly label: string;
  /** next to the label, such as the icon of the value type */
  readonly icon?: ReactNode;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
  /** the errors of the typed value; the server may report several */
  readonly errors?: readonly string[] | undefined;
  /** whether the typed value is invalid for another reason than `errors` */
  readonly isInvalid?: boolean;
  /** what checks find in the value; it sets the colour of the editor's border */
  readonly severity?: Severity | undefined;
  /** why today's definition would reject the stored value; does not prevent saving */
  readonly warning?: string | undefined;
  /** marks the field as changed and shows the previous value; null: there was none */
  readonly changedFrom?: string | null | undefined;
  /** puts the label next to the editor; the description is then for screen readers and the label's tooltip */
  readonly dense?: boolean | undefined;
  /** reverts the change */
  readonly onRestore?: (() => void) | undefined;
  /** the shortcut for that: the button is then no Tab stop */
  readonly restoreKey?: Shortcut | undefined;
  /** a button next to the label */
  readonly labelAction?: ReactNode;
  /** the origin of the value in the editor */
  readonly note?: ReactNode;
  /** receives the attributes that connect the editor with label and messages */
  readonly children: (control: ControlProps) => ReactNode;
}

/** The frame of one field of a form: label, required mark, editor, old value, messages. */
export function Field(props: FieldProps) {
  const { label, icon, required = false, description, errors = [], warning, changedFrom } = props;
  const { dense = false, isInvalid = false } = props;
  const id = useId();
  const changed = changedFrom !== undefined;
  const messageId = `${id}-messages`;
  const hasMessages =
    errors.length > 0 ||
    warning !== undefined ||
    changed ||
    Boolean(description) ||
    Boolean(props.note);
  return (
    <div
      className={classes.field}
      data-changed={changed || undefined}
      data-severity={props.severity}
      data-dense={dense || undefined}
    >
      <div className={classes.head}>
        <label
          className={classes.label}
          id={`${id}-label`}
          htmlFor={id}
          title={dense ? description : undefined}
        >
          {icon}
          <span>{label}</span>
          {required && (
            <span className={shared.wrong} title={texts.valueRequired} aria-hidden="true">
              *
            </span>
          )}
        </label>
        {props.labelAction}
      </div>
      {props.children({
        id,
        'aria-labelledby': `${id}-label`,
        'aria-describedby': hasMessages ? messageId : undefined,
        'aria-invalid': isInvalid || errors.length > 0,
        'aria-required': required,
      })}
      <div id={messageId} className={classes.messages}>
        {errors.map((message) => (
          <p key={message} className={shared.wrong}>
            {message}
          </p>
        ))}
        {warning !== undefined && <p className={classes.warning}>{texts.storedValue(warning)}</p>}
        {changed && (
          <p className={classes.old}>
            <span className={classes.was}>{texts.was}</span>
            <OldValue value={changedFrom} />
            {props.onRestore && (
              <button
                type="button"
                className={classes.restore}
                aria-label={texts.restore(label)}
                title={
                  props.restoreKey
                    ? texts.restoreOldValueByKey(keyLabel(props.restoreKey))
                    : texts.restoreOldValue
                }
                tabIndex={props.restoreKey ? -1 : undefined}
                onClick={() => {
                  props.onRestore?.();
                  // This button disappears; the focus moves to the field.
                  document.getElementById(id)?.focus();
                }}
              >
                <UndoIcon size={13} />
              </button>
            )}
          </p>
        )}
        {props.note}
        {description && <p className={classes.description}>{description}</p>}
      </div>
    </div>
  );
}

/** A previous value, with a distinction between no value and an empty text. */
export function OldValue({ value }: { readonly value: string | null }) {
  if (value === null) return <em className={shared.muted}>{texts.noValue}</em>;
  if (value === '') return <em className={shared.muted}>{texts.emptyText}</em>;
  return <span className={classes.value}>{withVisibleSpaces(value)}</span>;
}

/** Makes leading and trailing spaces visible, where they would otherwise not be noticed. */
function withVisibleSpaces(text: string): string {
  return text.replaceAll(/^\s+|\s+$/g, (spaces) => '␣'.repeat(spaces.length));
}

/** A value set by another user. */
export function RemoteValue({ text }: { readonly text: string | null }) {
  return text === null || text === '' ? <OldValue value={text} /> : <>“{text}”</>;
}
