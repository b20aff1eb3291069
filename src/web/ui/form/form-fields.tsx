import * as texts from '#messages/common.ts';
import {
  type Control,
  type FieldPathByValue,
  type FieldValues,
  useFormState,
} from 'react-hook-form';
import { Field } from '../field.tsx';
import { Checkbox } from '../inputs/checkbox.tsx';
import { PasswordInput } from '../inputs/password-input.tsx';
import { TextArea, type TextAreaProps } from '../inputs/text-area.tsx';
import { TextInput, type TextInputProps } from '../inputs/text-input.tsx';

interface FormFieldProps<Values extends FieldValues, Value> {
  readonly control: Control<Values>;
  readonly name: FieldPathByValue<Values, Value>;
  readonly label: string;
  readonly description?: string | undefined;
}

interface TextFieldProps<Values extends FieldValues>
  extends
    FormFieldProps<Values, string>,
    Omit<TextInputProps, 'name' | 'value' | 'defaultValue' | 'onChange' | 'onBlur' | 'ref'> {
  /** false: the label has no mark, for forms in which every field is required */
  readonly marksRequired?: boolean;
  /** called when the focus leaves the input */
  readonly onLeave?: () => void;
}

/** A single-line text field of a form. Typing does not render: the form reads the input on submit. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { control, name, label, description, required = false, ...rest } = props;
  const { marksRequired = true, onLeave, ...input } = rest;
  const rules = { ...rulesOf(required), ...(onLeave && { onBlur: onLeave }) };
  const errors = useErrorsOf(control, name);
  return (
    <Field
      label={label}
      description={description}
      required={required && marksRequired}
      errors={errors}
    >
      {(controlProps) => (
        <TextInput {...controlProps} {...input} {...control.register(name, rules)} />
      )}
    </Field>
  );
}

interface PasswordFieldProps<Values extends FieldValues> extends Omit<
  TextFieldProps<Values>,
  'marksRequired' | 'onLeave'
> {
  /** the name of the button that shows the password */
  readonly showLabel: string;
}

export function PasswordField<Values extends FieldValues>(props: PasswordFieldProps<Values>) {
  const { control, name, label, description, required = false, ...input } = props;
  const errors = useErrorsOf(control, name);
  return (
    <Field label={label} description={description} required={required} errors={errors}>
      {(controlProps) => (
        <PasswordInput
          {...controlProps}
          {...input}
          {...control.register(name, rulesOf(required))}
        />
      )}
    </Field>
  );
}

interface TextAreaFieldProps<Values extends FieldValues>
  extends
    FormFieldProps<Values, string>,
    Pick<TextAreaProps, 'placeholder' | 'rows' | 'maxLength'> {
  /** Enter submits the form, Shift+Enter begins a line */
  readonly submitsByEnter?: boolean;
}

/** Several lines of text of a form. */
export function TextAreaField<Values extends FieldValues>(props: TextAreaFieldProps<Values>) {
  const { control, name, label, description, submitsByEnter = false, ...area } = props;
  const errors = useErrorsOf(control, name);
  return (
    <Field label={label} description={description} errors={errors}>
      {(controlProps) => (
        <TextArea
          {...controlProps}
          {...area}
          {...control.register(name)}
          onKeyDown={(event) => {
            if (!submitsByEnter || event.key !== 'Enter' || event.shiftKey) return;
            if (event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      )}
    </Field>
  );
}

export function CheckboxField<Values extends FieldValues>({
  control,
  name,
  label,
  description,
}: FormFieldProps<Values, boolean>) {
  return <Checkbox label={label} description={description} {...control.register(name)} />;
}

/** For forms without a resolver. */
function rulesOf(required: boolean) {
  return required ? { required: texts.enterValue } : {};
}

function useErrorsOf<Values extends FieldValues, Value>(
  control: Control<Values>,
  name: FieldPathByValue<Values, Value>,
): readonly string[] {
  const state = useFormState({ control, name, exact: true });
  const message = control.getFieldState(name, state).error?.message;
  return message === undefined || message === '' ? [] : [message];
}
