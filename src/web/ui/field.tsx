import * as texts from '#messages/common.ts';
import { type ReactNode, useId } from 'react';
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
  /** beside the label, such as the sign of the value type */
  readonly icon?: ReactNode;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
  /** what is wrong with the value as typed; more than one where the server says so */
  readonly errors?: readonly string[] | undefined;
  /** whether something else than `errors` is wrong with the value as typed */
  readonly isInvalid?: boolean;
  /** what is wrong with the stored value by today's definition, without stopping anything */
  readonly warning?: string | undefined;
  /** marks the field as changed and shows what stood there; null: no value stood there */
  readonly changedFrom?: string | null | undefined;
  /** puts the label beside the editor; the description is then for screen readers and the label's tip */
  readonly dense?: boolean | undefined;
  /** takes the change back */
  readonly onRestore?: (() => void) | undefined;
  /** the key that does the same: the button is then none of the stops of the Tab key */
  readonly restoreKey?: Shortcut | undefined;
  /** a button beside the label */
  readonly beside?: ReactNode;
  /** where the value in the editor comes from */
  readonly note?: ReactNode;
  /** gets what ties the editor to label and messages */
  readonly children: (control: ControlProps) => ReactNode;
}

/** The shell of one field of a form: label, required mark, editor, old value, messages. */
export function Field(props: FieldProps) {
  const { label, icon, required = false, description, errors = [], warning, changedFrom } = props;
  const { dense = false, isInvalid = false } = props;
  const id = useId();
  const changed = changedFrom !== undefined;
  const messageId = `${id}-messages`;
  const says =
    errors.length > 0 ||
    warning !== undefined ||
    changed ||
    Boolean(description) ||
    Boolean(props.note);
  return (
    <div
      className={classes.field}
      data-changed={changed || undefined}
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
            <span className={classes.required} title={texts.valueRequired} aria-hidden="true">
              *
            </span>
          )}
        </label>
        {props.beside}
      </div>
      {props.children({
        id,
        'aria-labelledby': `${id}-label`,
        'aria-describedby': says ? messageId : undefined,
        'aria-invalid': isInvalid || errors.length > 0,
        'aria-required': required,
      })}
      <div id={messageId} className={classes.messages}>
        {errors.map((message) => (
          <p key={message} className={classes.error}>
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
                  // This button goes away; the cursor goes on in the field.
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

/** A value as it stood: no value and an empty text are told apart. */
export function OldValue({ value }: { readonly value: string | null }) {
  if (value === null) return <em className={classes.none}>{texts.noValue}</em>;
  if (value === '') return <em className={classes.none}>{texts.emptyText}</em>;
  return <span className={classes.value}>{withEdges(value)}</span>;
}

/** Spaces at the edges of a text to be seen, where nobody types: what was struck out looks like what stands there. */
function withEdges(text: string): string {
  return text.replaceAll(/^\s+|\s+$/g, (spaces) => '␣'.repeat(spaces.length));
}

/** A value as somebody else has set it. */
export function TheirValue({ text }: { readonly text: string | null }) {
  return text === null || text === '' ? <OldValue value={text} /> : <>“{text}”</>;
}
