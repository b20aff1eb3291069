import { NO_LIMITS } from '#shared/rules/limits.ts';
import { definedChecks } from '#shared/rules/check-definitions.ts';
import { listColumns } from '#shared/rules/lists.ts';
import type {
  Archive,
  Conversion,
  ConversionStep,
  SupersededField,
  Table,
} from '#server/database/records/collection.ts';
import {
  type AnyField,
  type FieldState,
  type DefinitionState,
  activeOf,
  convertedFrom,
  toColumn,
} from './definition-state.ts';

/** The time zone of the machine, which applies if no time zone is set. */
export const LOCAL_TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The archive or table as the service uses it, without its checks, which depend on other tables (`withChecks`).
 * @param fields `active`: as users see it; `all`: with its retired fields among the others, as their values are stored,
 * copied and verified with the rest
 */
export function toCollection(
  id: number,
  state: DefinitionState,
  retiredAt: number | null,
  fields: 'active' | 'all' = 'active',
): Archive | Table {
  const included = <Field>(all: readonly FieldState<Field>[]) =>
    fields === 'active' ? activeOf(all) : all;
  const identified = identifierOf(state);
  const all = included(state.fields).map((stored) => ({
    ...identified(stored),
    ...toColumn(stored.field),
  }));
  const keywordFields = included(state.keywordFields).map((stored) => identified(stored));
  const idName = state.kind === 'archive' ? 'revisionId' : 'jrid';
  return {
    kind: state.kind,
    id,
    guid: state.guid,
    name: state.name,
    label: state.label,
    description: state.description,
    uniqueTogether: state.uniqueTogether,
    definedChecks: definedChecks(state),
    fields: all,
    keywordFields,
    listColumns: listColumns(idName, all, keywordFields),
    checks: [],
    timeZone: LOCAL_TIME_ZONE,
    version: state.version,
    retiredAt,
    limits: NO_LIMITS,
    restriction: null,
  };
}

function identifierOf(state: DefinitionState) {
  const supersededBy = supersededFieldsOf(state.fields);
  return <Field>({ field, number, historyName, conversion }: FieldState<Field>) => {
    const formerNumbers = formerNumbersOf(state.fields, conversion);
    const superseded = supersededBy(number);
    return { ...field, number, historyName, conversion, formerNumbers, superseded };
  };
}

/** The numbers of the fields from which one was converted, latest first, also of those that purges have removed. */
export function formerNumbersOf(
  fields: readonly FieldState<AnyField>[],
  conversion: Conversion | null,
): number[] {
  if (!conversion) return [];
  const from = fields.find(({ number }) => number === conversion.from);
  const earlier = from ? formerNumbersOf(fields, from.conversion) : conversion.formerOfPurged;
  return [conversion.from, ...(earlier ?? [])];
}

/** The superseded fields of each shown one, by its number. */
function supersededFieldsOf(
  fields: readonly FieldState<AnyField>[],
): (number: number) => readonly SupersededField[] {
  const all = new Map<number, SupersededField[]>();
  for (const stored of fields) {
    const steps: ConversionStep[] = [];
    let shown: FieldState<AnyField> | undefined = stored;
    while (shown?.isSuperseded) {
      const { number } = shown;
      shown = convertedFrom(fields, shown);
      if (!shown?.conversion) break;
      const { readAs, scale, original } = shown.conversion;
      if (original !== number) steps.push({ type: shown.field.type, readAs, scale });
    }
    if (!shown || shown === stored) continue;
    const superseded = { number: stored.number, historyName: stored.historyName, steps };
    all.set(shown.number, [...(all.get(shown.number) ?? []), superseded]);
  }
  return (number) => all.get(number) ?? NONE_SUPERSEDED;
}

const NONE_SUPERSEDED: readonly SupersededField[] = [];
