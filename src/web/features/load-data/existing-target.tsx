import * as texts from '#messages/load-data.ts';
import { useQuery } from '@tanstack/react-query';
import { archivesQuery } from '#web/api/archives.queries.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import { combineQueries } from '#web/ui/combine-queries.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/inputs/select.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';

interface ExistingTargetProps {
  readonly username: string;
  readonly collection: CollectionRef | null;
  readonly onChange: (collection: CollectionRef) => void;
}

/** Chooses an archive or table. */
export function ExistingTarget({ username, collection, onChange }: ExistingTargetProps) {
  const archives = useQuery(archivesQuery(username));
  const tables = useQuery(tablesQuery);
  if (!archives.data || !tables.data) {
    return <QueryPending query={combineQueries(archives, tables)} title={texts.targetsNotRead} />;
  }
  const options = [
    ...archives.data.map(({ table, name }) => ({
      value: `archive ${table}`,
      label: name,
      group: texts.archives,
    })),
    ...tables.data.map(({ guid, label }) => ({
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
