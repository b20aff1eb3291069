import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import * as inputTexts from '#messages/inputs.ts';
import * as texts from '#messages/people.ts';
import type { ConfiguredUser } from '#shared/contract/configuration-people.ts';
import { ChoicesField } from '#web/ui/form/choices-field.tsx';
import { CheckboxField, TextField } from '#web/ui/form/form-fields.tsx';
import { KEEP_TYPED_VALUES } from '#web/ui/form/reset-options.ts';
import { SelectField } from '#web/ui/form/select-field.tsx';
import { ChangeForm } from './change-form.tsx';
import { useCollections } from '#web/api/collections.queries.ts';
import { useChangeUser } from './people.mutations.ts';
import { groupsQuery } from './people.queries.ts';
import { ROLE_OPTIONS } from './right-options.ts';
import { RightsEditor } from './rights-editor.tsx';
import { labelsOf, rightsText } from './property-texts.ts';

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
  const collections = useCollections().data ?? [];
  const groups = useGroupOptions();
  const { dirtyFields } = form.formState;
  const toChange = (values: UserValues) => ({
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
      describe={({ displayName, email, role, active, groups: names, rights }) => [
        { name: 'displayName', label: texts.displayName, text: displayName },
        { name: 'email', label: texts.email, text: email },
        { name: 'role', label: texts.role, text: labelsOf(ROLE_OPTIONS, [role]) },
        { name: 'active', label: texts.active, text: active ? inputTexts.yes : inputTexts.no },
        { name: 'groups', label: texts.groups, text: labelsOf(groups, names) },
        { name: 'rights', label: texts.rights, text: rightsText(rights, collections) },
      ]}
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
      <ChoicesField
        control={control}
        name="groups"
        label={texts.groups}
        empty={texts.noGroups}
        options={groups}
      />
      <Controller
        control={control}
        name="rights"
        render={({ field }) => <RightsEditor value={field.value} onChange={field.onChange} />}
      />
    </ChangeForm>
  );
}

function useGroupOptions() {
  const groups = useQuery(groupsQuery).data ?? [];
  return groups.map(({ name, label }) => ({ value: name, label: label || name }));
}
