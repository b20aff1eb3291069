import * as texts from '#messages/load-data.ts';
import { useQuery } from '@tanstack/react-query';
import { type Control, useController } from 'react-hook-form';
import { archivesQuery } from '#web/api/archives.queries.ts';
import {
  collectionOptionValue,
  collectionOptions,
  namedCollections,
} from '#web/api/named-collections.ts';
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
          options={collectionOptions(collections)}
          ref={field.ref}
          value={field.value && collectionOptionValue(field.value)}
          onBlur={field.onBlur}
          onChange={(value) => {
            const chosen = collections.find(
              (named) => collectionOptionValue(named.collection) === value,
            );
            if (!chosen) return;
            field.onChange(chosen.collection);
            if (field.value && collectionOptionValue(field.value) !== value) onOther();
          }}
        />
      )}
    </Field>
  );
}
