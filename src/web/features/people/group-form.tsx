import { useInfiniteQuery } from '@tanstack/react-query';
import { type Control, Controller, useForm } from 'react-hook-form';
import * as texts from '#messages/people.ts';
import type { Group } from '#shared/contract/configuration-people.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { QueryError, QueryPending } from '#web/ui/query-state.tsx';
import { ShowMore } from '#web/ui/show-more.tsx';
import { ChoicesField } from '#web/ui/form/choices-field.tsx';
import { KEEP_TYPED_VALUES } from '#web/ui/form/reset-options.ts';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { useCollections } from '#web/api/collections.queries.ts';
import { ChangeForm } from './change-form.tsx';
import { useChangeGroup } from './people.mutations.ts';
import { usersQuery } from './people.queries.ts';
import { rightsText } from './property-texts.ts';
import { RightsEditor } from './rights-editor.tsx';

interface GroupFormProps {
  readonly group: Group;
  readonly etag: string | null;
}

/** The editable properties of a group. Only changed ones are sent. */
export function GroupForm({ group, etag }: GroupFormProps) {
  const form = useForm<Group>({ values: group, resetOptions: KEEP_TYPED_VALUES });
  const { control } = form;
  const nameOf = useNameOf();
  const collections = useCollections().data ?? [];
  const { dirtyFields } = form.formState;
  return (
    <ChangeForm
      form={form}
      values={group}
      etag={etag}
      mutation={useChangeGroup(group.name)}
      toChange={({ label, members, rights }) => ({
        ...(dirtyFields.label ? { label } : {}),
        ...(dirtyFields.members ? { members } : {}),
        ...(dirtyFields.rights ? { rights } : {}),
      })}
      describe={({ label, members, rights }) => [
        { name: 'label', label: texts.label, text: label },
        { name: 'members', label: texts.members, text: members.map(nameOf).join(', ') },
        { name: 'rights', label: texts.rights, text: rightsText(rights, collections) },
      ]}
      errorTitle={texts.groupNotSaved}
    >
      <TextField control={control} name="label" label={texts.label} />
      <MembersField control={control} members={group.members} />
      <Controller
        control={control}
        name="rights"
        render={({ field }) => <RightsEditor value={field.value} onChange={field.onChange} />}
      />
    </ChangeForm>
  );
}

interface MembersFieldProps {
  readonly control: Control<Group>;
  /** the present members, whether or not they are among the loaded users */
  readonly members: readonly string[];
}

function MembersField({ control, members }: MembersFieldProps) {
  const query = useInfiniteQuery(usersQuery(''));
  if (!query.data) return <QueryPending query={query} title={texts.usersNotRead} />;
  const users = query.data.pages.flatMap((page) => page.users);
  const usernames = new Set(users.map(({ username }) => username));
  const others = members.filter((username) => !usernames.has(username));
  return (
    <>
      <ChoicesField
        control={control}
        name="members"
        label={texts.members}
        empty={texts.noUserFound}
        options={[
          ...users.map(({ username, displayName, active }) => ({
            value: username,
            label: displayName,
            note: active ? undefined : texts.disabled,
          })),
          ...others.map((username) => ({ value: username, label: username })),
        ]}
      />
      <QueryError query={query} title={texts.usersNotRead} />
      <div>
        <ShowMore list={query} variant="default" />
      </div>
    </>
  );
}
