import { keywordFieldName } from '#shared/rules/names.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { peopleQuery } from '#web/api/display-names.queries.ts';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { readData } from '#web/api/request.ts';

/** The label of an archive or table, and those of its fields. */
export interface CollectionLabels {
  readonly label: string;
  /** by the names of fields, of keyword fields as `keyword.NAME` */
  readonly fields: ReadonlyMap<string, string>;
}

/** The labels of the archives, tables and fields that entries name. */
export interface AuditNames {
  /** retired ones included, by `KIND KEY`: the table name of an archive, the GUID or the name of a table */
  readonly collections: ReadonlyMap<string, CollectionLabels>;
  readonly groups: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
}

interface Labelled {
  readonly name: string;
  readonly label: string;
}

function labelsOf(
  label: string,
  fields: readonly Labelled[],
  keywordFields: readonly Labelled[] = [],
): CollectionLabels {
  return {
    label,
    fields: new Map([
      ...fields.map((field) => [field.name, field.label] as const),
      ...keywordFields.map((field) => [keywordFieldName(field.name), field.label] as const),
    ]),
  };
}

// The key begins as those of definitions, which are read again after a change.
const collectionLabelsQuery = queryOptions({
  queryKey: ['definitions', 'labels'],
  queryFn: async ({ signal }) => {
    const { definedArchivesAnswer, definedTablesAnswer } = await administrationAnswers();
    const [archives, tables] = await Promise.all([
      readData(apiPaths.definitions('archive'), {
        signal,
        parse: (raw) => definedArchivesAnswer.parse(raw).archives,
      }),
      readData(apiPaths.definitions('table'), {
        signal,
        parse: (raw) => definedTablesAnswer.parse(raw).tables,
      }),
    ]);
    return new Map([
      ...archives.map(
        ({ table, name, indexFields, keywordFields }) =>
          [`archive ${table}`, labelsOf(name, indexFields, keywordFields)] as const,
      ),
      ...tables.flatMap(({ guid, name, label, columns }) => {
        const labels = labelsOf(label || name, columns);
        return [[`table ${guid}`, labels] as const, [`table ${name}`, labels] as const];
      }),
    ]);
  },
});

// The key begins as those of users and groups, which are read again after a change.
const groupLabelsQuery = queryOptions({
  queryKey: ['people', 'group labels'],
  queryFn: async ({ signal }) => {
    const { groupsAnswer } = await administrationAnswers();
    const groups = await readData(administrationPaths.groups(), {
      signal,
      parse: (raw) => groupsAnswer.parse(raw).groups,
    });
    return new Map(groups.map(({ name, label }) => [name, label || name]));
  },
});

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

export function useAuditNames(): AuditNames {
  const { data: collections = NOTHING } = useQuery(collectionLabelsQuery);
  const { data: groups = NOTHING } = useQuery(groupLabelsQuery);
  const { data: people = NOTHING } = useQuery(peopleQuery);
  return useMemo(() => ({ collections, groups, people }), [collections, groups, people]);
}
