import * as texts from '#messages/common.ts';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { type ApiFailure, type CallError, toFailure } from '#web/api/failure.ts';
import { Button } from '../button.tsx';
import { ErrorPanel } from '../error-panel.tsx';
import { Kbd } from '../kbd.tsx';
import { type Shortcut, useShortcut } from '../shortcuts.ts';
import classes from './form.module.css';
import { useUnsavedInput } from './unsaved-input.ts';
import { errorOfForm, type FieldAt, sameName, setServiceErrors } from './service-errors.ts';

interface FormLayout {
  readonly submit: Submit;
  /** for dialogs: closes the form without a change */
  readonly onCancel?: () => void;
  /** other buttons, before the submit button */
  readonly secondary?: ReactNode;
  /** whether the form fills its container: then its fields scroll, and its buttons stay visible */
  readonly isPane?: boolean;
  /** next to the buttons */
  readonly note?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

interface FormProps<Values extends FieldValues, Body, Result> extends FormLayout {
  /** of `useForm`; its resolver checks the values before they are sent */
  readonly form: UseFormReturn<Values>;
  /** sends the values */
  readonly mutation: UseMutationResult<Result, CallError, Body>;
  /** null: nothing is sent; the form shows why */
  readonly toBody: (values: Values) => Body | null;
  /** the service has accepted the values that were sent */
  readonly onDone: (result: Result, sent: Values) => void;
  /** the service has rejected the values; the errors are already shown */
  readonly onRefused?: (failure: ApiFailure) => void;
  /** the fields of the service's errors; by default those with the same names */
  readonly fieldAt?: FieldAt<Values>;
  /** what failed: “The view was not saved” */
  readonly errorTitle: string;
  /** shows the errors that belong to no field instead of the panel with the title */
  readonly errorView?: ReactNode;
  /** false: what the form contains shows the errors that belong to no field */
  readonly showsOtherErrors?: boolean;
  /** whether the input is stored in this browser while it is typed */
  readonly isStored?: boolean;
  /** names the paths of the errors that belong to no field, for the panel */
  readonly pathLabel?: (path: string) => string | undefined;
}

interface Submit {
  readonly label: string;
  readonly disabled?: boolean;
  readonly size?: 'large';
  /** submits from anywhere in the form; Enter in an input then does not */
  readonly keys?: Shortcut;
  /** whether `keys` submit a `disabled` form too: they may complete the last value, and `toBody` decides */
  readonly keysDecide?: boolean;
  /** red, and Cancel has the focus when the dialog opens */
  readonly isDestructive?: boolean;
  /** has the focus when the dialog opens */
  readonly isFocused?: boolean;
}

/**
 * The form of the web admin: it validates and sends its values, shows the service's errors at the fields or above the
 * buttons, and ignores further submits while one is in progress. Its fields are those of `form-fields.tsx`.
 */
export function Form<Values extends FieldValues, Body, Result>(
  props: FormProps<Values, Body, Result>,
) {
  const { form, mutation, fieldAt = sameName(form) } = props;
  const submit = form.handleSubmit((values) => {
    const body = props.toBody(values);
    if (body === null) return;
    mutation.mutate(body, {
      onSuccess: (result) => props.onDone(result, values),
      onError: (error) => {
        const failure = toFailure(error);
        setServiceErrors(form, failure, fieldAt);
        props.onRefused?.(failure);
      },
    });
  });
  const send = () => {
    // The form itself does not remove the service's errors at inputs that are not shown, and would never be sent again.
    form.clearErrors();
    return submit();
  };
  useUnsavedInput(form.formState.isDirty && props.isStored !== true);
  const { error } = mutation;
  const failure =
    error && props.showsOtherErrors !== false ? errorOfForm(toFailure(error), fieldAt) : null;
  return (
    <FormElement
      {...props}
      onSubmit={() => void send()}
      isPending={mutation.isPending}
      writes
      error={
        <div role={props.errorView === undefined ? undefined : 'alert'} className={classes.error}>
          {failure &&
            (props.errorView ?? (
              <ErrorPanel error={failure} title={props.errorTitle} pathLabel={props.pathLabel} />
            ))}
        </div>
      }
    />
  );
}

interface LocalFormProps<Values extends FieldValues> extends FormLayout {
  readonly form: UseFormReturn<Values>;
  /** the values are valid */
  readonly onSubmit: (values: Values) => void;
}

/** A form whose values take effect at once: they are not sent, or sent by an optimistic mutation. */
export function LocalForm<Values extends FieldValues>(props: LocalFormProps<Values>) {
  const { form, onSubmit } = props;
  useUnsavedInput(form.formState.isDirty);
  return (
    <FormElement
      {...props}
      onSubmit={() => void form.handleSubmit(onSubmit)()}
      isPending={false}
      writes={false}
    />
  );
}

interface FormElementProps extends FormLayout {
  readonly onSubmit: () => void;
  readonly isPending: boolean;
  /** whether it sends its values */
  readonly writes: boolean;
  readonly error?: ReactNode;
}

function FormElement(props: FormElementProps) {
  const { submit, onSubmit, isPending, writes } = props;
  const element = useRef<HTMLFormElement>(null);
  const keys = submit.keys;
  const isBlocked = isPending || submit.disabled === true;
  useShortcut(keys ?? 'mod+Enter', onSubmit, {
    inFields: true,
    within: element,
    enabled: keys !== undefined && (submit.keysDecide === true ? !isPending : !isBlocked),
    writes,
  });
  return (
    <form
      ref={element}
      noValidate
      className={`${classes.form} ${props.className ?? ''}`}
      data-pane={props.isPane || undefined}
      onSubmit={(event) => {
        // A form in a dialog is rendered inside the form that has opened it.
        event.stopPropagation();
        event.preventDefault();
        if (!isBlocked && keys === undefined) onSubmit();
      }}
    >
      {props.children}
      {props.error}
      <Foot {...props} />
    </form>
  );
}

function Foot(props: FormElementProps) {
  const { submit, onCancel, onSubmit, isPending, writes, note, secondary } = props;
  const { keys, isDestructive = false } = submit;
  return (
    <div className={classes.foot} data-dialog={onCancel !== undefined || undefined}>
      {note !== undefined && <div className={classes.note}>{note}</div>}
      {onCancel && (
        <Button variant="default" onClick={onCancel} data-autofocus={isDestructive || undefined}>
          {texts.cancel}
        </Button>
      )}
      {secondary}
      <Button
        // Enter in an input presses the submit button.
        type={keys === undefined ? 'submit' : 'button'}
        onClick={keys === undefined ? undefined : onSubmit}
        data-autofocus={submit.isFocused || undefined}
        size={submit.size ?? 'normal'}
        variant={isDestructive ? 'light' : 'filled'}
        color={isDestructive ? 'red' : 'accent'}
        loading={isPending}
        writes={writes}
        aria-disabled={submit.disabled || undefined}
        rightSection={keys === undefined ? undefined : <Kbd keys={keys} aria-hidden />}
      >
        {submit.label}
      </Button>
    </div>
  );
}
