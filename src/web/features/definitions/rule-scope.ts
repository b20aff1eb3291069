import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import type { RuleScope } from '#shared/checks/type-rule.ts';
import { findByName } from '#shared/rules/names.ts';
import type { DefinitionValues, DesignedField } from './definition-form.ts';
import { definitionsQuery } from './definitions.queries.ts';

interface CheckScope extends RuleScope {
  readonly fields: readonly DesignedField[];
  /** `TABLE.COLUMN`: all columns in which a rule can look up values */
  readonly columns: readonly string[];
  /** the names of tables by GUID */
  readonly tables: ReadonlyMap<string, string>;
}

/** The scope of names in rules of the edited definition: its present fields, and the active tables. */
export function useCheckScope(control: Control<DefinitionValues>): CheckScope {
  const all = useWatch({ control, name: 'fields' });
  const { data } = useQuery(definitionsQuery);
  return useMemo(() => {
    const fields = all.filter(
      ({ isKeywordField, retiredAt }) => !isKeywordField && retiredAt === null,
    );
    const tables = (data ?? []).flatMap((definition) =>
      definition.kind === 'table' && definition.retiredAt === null
        ? [{ ...definition, fields: definition.fields.filter((field) => field.retiredAt === null) }]
        : [],
    );
    return {
      fields,
      columns: tables.flatMap(({ name, fields }) => fields.map((field) => `${name}.${field.name}`)),
      tables: new Map(tables.map(({ guid, name }) => [guid, name])),
      column(tableName, columnName) {
        const table = findByName(tables, tableName);
        if (!table) return 'no table';
        const column = findByName(table.fields, columnName);
        return column ? { table: table.guid, column: column.name, type: column.type } : 'no column';
      },
    };
  }, [all, data]);
}
