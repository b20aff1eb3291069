import { useQuery } from '@tanstack/react-query';
import { type Control, Controller, useForm } from 'react-hook-form';
import * as texts from '#messages/people.ts';
import type { ConfiguredUser } from '#shared/contract/configuration-people.ts';
import { ChoicesField } from '#web/ui/form/choices-field.tsx';
import { CheckboxField, TextField } from '#web/ui/form/form-fields.tsx';
import { KEEP_TYPED_VALUES } from '#web/ui/form/reset-options.ts';
import { SelectField } from '#web/ui/form/select-field.tsx';
import { ChangeForm } from './change-form.tsx';
import { useChangeUser, type UserEdits } from './people.mutations.ts';
import { groupsQuery } from './people.queries.ts';
import { ROLE_OPTIONS } from './right-options.ts';
import { RightsEditor } from './rights-editor.tsx';

interface UserFormProps {
  readonly user: ConfiguredUser;
  readonly etag: string | null;
}

type UserValues = Omit<ConfiguredUser, 'email'> & { readonly email: string };

/** The editable properties of a user. Only changed ones are sent. */
export function UserForm({ user, etag }: UserFormProps) {
  const values = { ...user, email: user.email ?? '' };
  const form = useForm<UserValues>({
    values,
    resetOptions: KEEP_TYPED_VALUES,
  });
  const { control } = form;
  const { dirtyFields } = form.formState;
  const toChange = (values: UserValues): UserEdits => ({
    ...(dirtyFields.displayName ? { displayName: values.displayName } : {}),
    ...(dirtyFields.email ? { email: values.email === '' ? null : values.email } : {}),
    ...(dirtyFields.role ? { role: values.role } : {}),
    ...(dirtyFields.active ? { active: values.active } : {}),
    ...(dirtyFields.groups ? { groups: values.groups } : {}),
    ...(dirtyFields.rights ? { rights: values.rights } : {}),
  });
  return (
    <ChangeForm
      form={form}
      values={values}
      etag={etag}
      mutation={useChangeUser(user.username)}
      toChange={toChange}
      errorTitle={texts.userNotSaved}
    >
      <TextField control={control} name="displayName" label={texts.displayName} required />
      <TextField control={control} name="email" label={texts.email} type="email" />
      <SelectField control={control} name="role" label={texts.role} options={ROLE_OPTIONS} />
      <CheckboxField
        control={control}
        name="active"
        label={texts.active}
        description={texts.activeHint}
      />
      <GroupsField control={control} />
      <Controller
        control={control}
        name="rights"
        render={({ field }) => <RightsEditor value={field.value} onChange={field.onChange} />}
      />
    </ChangeForm>
  );
}

function GroupsField({ control }: { readonly control: Control<UserValues> }) {
  const groups = useQuery(groupsQuery).data ?? [];
  return (
    <ChoicesField
      control={control}
      name="groups"
      label={texts.groups}
      empty={texts.noGroups}
      options={groups.map(({ name, label }) => ({ value: name, label: label || name }))}
    />
  );
}
