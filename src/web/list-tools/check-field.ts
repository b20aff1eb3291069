import { useQuery } from '@tanstack/react-query';
import { alternatives } from '#messages/list-tools.ts';
import * as texts from '#messages/lists.ts';
import { splitList } from '#shared/rules/comma-list.ts';
import { isSameName } from '#shared/rules/names.ts';
import { checksQuery } from '#web/api/checks.queries.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { checkColumn } from './check-column.ts';
import type { EditedCondition } from './condition-groups.ts';
import type { ListField } from './list-field.ts';

/** The findings of checks, by which every list can be filtered in addition to its fields. */
export function useCheckField(collection: CollectionRef, fields: readonly ListField[]): ListField {
  const { data: checks } = useQuery(checksQuery(collection));
  return { ...checkColumn(fields), hidden: false, label: texts.finding, checks };
}

/** The label of a check; its name if there is no such check. */
export function checkLabel({ checks = [] }: ListField, name: string): string {
  return checks.find((candidate) => isSameName(candidate.name, name))?.label ?? name;
}

/** A condition on findings in words; the checks may still be loaded. */
export function checkConditionText(field: ListField, { test, value }: EditedCondition): string {
  if (test === 'filled') return texts.anyFinding;
  if (test === 'empty') return texts.noFinding;
  if (!field.checks || value === null) return texts.finding;
  const names = test === 'in' ? splitList(value) : [value];
  return texts.findingOf(alternatives(names.map((name) => checkLabel(field, name))));
}
