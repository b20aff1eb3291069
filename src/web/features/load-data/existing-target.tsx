import * as texts from '#messages/load-data.ts';
import { useQuery } from '@tanstack/react-query';
import { archivesQuery } from '#web/api/archives.queries.ts';
import type { ListPlace } from '#web/api/api-paths.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/inputs/select.tsx';

interface ExistingTargetProps {
  readonly username: string;
  readonly place: ListPlace | null;
  readonly onChange: (place: ListPlace) => void;
}

/** Chooses an archive or table. */
export function ExistingTarget({ username, place, onChange }: ExistingTargetProps) {
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
          value={place && `${place.kind} ${place.id}`}
          onChange={(value) => {
            const [kind, id = ''] = value.split(' ');
            onChange({ kind: kind === 'table' ? 'table' : 'archive', id });
          }}
        />
      )}
    </Field>
  );
}
