import * as texts from '#messages/load-data.ts';
import { useQuery } from '@tanstack/react-query';
import { archivesQuery } from '#web/api/archives.queries.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/inputs/select.tsx';

interface ExistingTargetProps {
  readonly username: string;
  readonly collection: CollectionRef | null;
  readonly onChange: (collection: CollectionRef) => void;
}

/** Chooses an archive or table. */
export function ExistingTarget({ username, collection, onChange }: ExistingTargetProps) {
  const { data: archives = [] } = useQuery(archivesQuery(username));
  const { data: tables = [] } = useQuery(tablesQuery);
  const options = [
    ...archives.map(({ table, name }) => ({
      value: `archive ${table}`,
      label: name,
      group: texts.archives,
    })),
    ...tables.map(({ guid, label }) => ({
      value: `table ${guid}`,
      label,
      group: texts.tables,
    })),
  ];
  return (
    <Field label={texts.existing} description={texts.rowsBecomeRecords}>
      {(tied) => (
        <Select
          {...tied}
          options={options}
          value={collection && `${collection.kind} ${collection.id}`}
          onChange={(value) => {
            const [kind, id = ''] = value.split(' ');
            onChange({ kind: kind === 'table' ? 'table' : 'archive', id });
          }}
        />
      )}
    </Field>
  );
}
