import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as texts from '#messages/account.ts';
import type { NewToken } from '#shared/contract/access-token-requests.ts';
import { ACCESS_LEVELS } from '#shared/rules/rights.ts';
import { archivesQuery } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import { localNow } from '#web/fields/local-offsets.ts';
import { combineQueries } from '#web/api/combine-queries.ts';
import { ChoicesField } from '#web/ui/form/choices-field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { CheckboxField, TextField } from '#web/ui/form/form-fields.tsx';
import { SelectField } from '#web/ui/form/select-field.tsx';
import { z, zodResolver } from '#web/ui/form/form-schema.ts';
import { optionsOf } from '#web/ui/inputs/select.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { useCreateToken } from './own-tokens.mutations.ts';

const RIGHT_OPTIONS = optionsOf(ACCESS_LEVELS, texts.rightTexts);
const DAY = 86_400_000;
const DEFAULT_DAYS = 90;

const tokenSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, texts.enterTokenName)),
  expires: z.string().check(z.minLength(1, texts.enterExpiry)),
  right: z.enum(ACCESS_LEVELS),
  archives: z.array(z.string()),
  tables: z.array(z.string()),
  configuration: z.boolean(),
});
type TokenValues = z.infer<typeof tokenSchema>;

interface TokenFormProps {
  readonly onMade: (token: string) => void;
  readonly onCancel: () => void;
}

/** The permissions and the expiry of a new token. */
export function TokenForm({ onMade, onCancel }: TokenFormProps) {
  const { username, role } = useSession();
  const archives = useQuery(archivesQuery(username));
  const tables = useQuery(tablesQuery);
  const [expires] = useState(defaultExpiry);
  const form = useForm<TokenValues>({
    defaultValues: {
      name: '',
      expires,
      right: 'read',
      archives: [],
      tables: [],
      configuration: false,
    },
    resolver: zodResolver(tokenSchema),
  });
  const { control } = form;
  return (
    <Form
      form={form}
      mutation={useCreateToken()}
      toBody={toToken}
      onDone={(token) => (token === null ? onCancel() : onMade(token))}
      onCancel={onCancel}
      fieldAt={fieldAt}
      errorTitle={texts.tokenNotMade}
      submit={{ label: texts.makeToken }}
    >
      <TextField
        control={control}
        name="name"
        label={texts.name}
        description={texts.tokenNameHint}
        data-autofocus
        required
      />
      <TextField control={control} name="expires" label={texts.expiresOn} type="date" required />
      <SelectField control={control} name="right" label={texts.right} options={RIGHT_OPTIONS} />
      {archives.data && tables.data ? (
        <>
          <ChoicesField
            control={control}
            name="archives"
            label={texts.onlyArchives}
            description={texts.onlyHint}
            empty={texts.noArchive}
            options={archives.data.map(({ table, name }) => ({ value: table, label: name }))}
          />
          <ChoicesField
            control={control}
            name="tables"
            label={texts.onlyTables}
            empty={texts.noTable}
            options={tables.data.map(({ guid, label }) => ({ value: guid, label }))}
          />
        </>
      ) : (
        <QueryPending query={combineQueries(archives, tables)} title={texts.collectionsNotRead} />
      )}
      {role === 'administrator' && (
        <CheckboxField
          control={control}
          name="configuration"
          label={texts.withAdministration}
          description={texts.withAdministrationHint}
        />
      )}
    </Form>
  );
}

function defaultExpiry(): string {
  return localNow(Date.now() + DEFAULT_DAYS * DAY).slice(0, 10);
}

/** It expires at the end of the day, in the user's time zone. */
function toToken({ name, expires, right, archives, tables, configuration }: TokenValues): NewToken {
  return {
    name,
    expiresAt: new Date(`${expires}T23:59:59`).toISOString(),
    right,
    ...(archives.length + tables.length > 0 ? { archives, tables } : {}),
    ...(configuration ? { configuration: true } : {}),
  };
}

function fieldAt(path: string): 'name' | 'expires' | 'configuration' | undefined {
  if (path === 'token.name') return 'name';
  if (path === 'token.configuration') return 'configuration';
  return path === 'token.expiresAt' ? 'expires' : undefined;
}
