import * as texts from '#messages/load-data.ts';
import { useQuery } from '@tanstack/react-query';
import { type Control, useController } from 'react-hook-form';
import { archivesQuery } from '#web/api/archives.queries.ts';
import { namedCollections } from '#web/api/named-collections.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import { combineQueries } from '#web/ui/combine-queries.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/inputs/select.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import type { LoadValues } from './load-form.ts';

interface ExistingTargetProps {
  readonly username: string;
  readonly control: Control<LoadValues>;
  /** another one is chosen */
  readonly onOther: () => void;
}

/** Chooses an archive or table. */
export function ExistingTarget({ username, control, onOther }: ExistingTargetProps) {
  const { field } = useController({ control, name: 'collection' });
  const archives = useQuery(archivesQuery(username));
  const tables = useQuery(tablesQuery);
  if (!archives.data || !tables.data) {
    return <QueryPending query={combineQueries(archives, tables)} title={texts.targetsNotRead} />;
  }
  const collections = namedCollections(archives.data, tables.data);
  return (
    <Field label={texts.existing} description={texts.rowsBecomeRecords}>
      {(controlProps) => (
        <Select
          {...controlProps}
          options={collections.map((named) => ({
            value: keyOf(named.collection),
            label: named.name,
            group: named.collection.kind === 'archive' ? texts.archives : texts.tables,
          }))}
          ref={field.ref}
          value={field.value && keyOf(field.value)}
          onBlur={field.onBlur}
          onChange={(value) => {
            const chosen = collections.find((named) => keyOf(named.collection) === value);
            if (!chosen) return;
            field.onChange(chosen.collection);
            if (field.value && keyOf(field.value) !== value) onOther();
          }}
        />
      )}
    </Field>
  );
}

const keyOf = ({ kind, id }: CollectionRef) => `${kind} ${id}`;
