import {
  type Control,
  type FieldPathByValue,
  type FieldValues,
  useController,
} from 'react-hook-form';
import type { Rights } from '#shared/contract/configuration-people.ts';
import { RightsEditor } from './rights-editor.tsx';

interface RightsFieldProps<Values extends FieldValues> {
  readonly control: Control<Values>;
  readonly name: FieldPathByValue<Values, Rights>;
}

/** The rights of a user or group as a field of its form. */
export function RightsField<Values extends FieldValues>({
  control,
  name,
}: RightsFieldProps<Values>) {
  const { field } = useController({ control, name });
  return <RightsEditor value={field.value} onChange={field.onChange} />;
}
