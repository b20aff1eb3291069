import {
  type Control,
  type FieldPathByValue,
  type FieldValues,
  useController,
} from 'react-hook-form';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/inputs/text-area.tsx';

interface TextAreaFieldProps<Values extends FieldValues> {
  readonly control: Control<Values>;
  readonly name: FieldPathByValue<Values, string>;
  readonly label: string;
  readonly description?: string;
}

/** Several lines of text of a form. */
export function TextAreaField<Values extends FieldValues>(props: TextAreaFieldProps<Values>) {
  const { control, name, label, description } = props;
  const { field, fieldState } = useController({ control, name });
  const message = fieldState.error?.message;
  return (
    <Field label={label} description={description} errors={message === undefined ? [] : [message]}>
      {(tied) => <TextArea {...tied} {...field} />}
    </Field>
  );
}
