import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ArchiveDetail, TableDetail } from '#shared/contract/answers.ts';
import { fold } from '#shared/values/fold.ts';
import { findByName, nameKey } from '#shared/rules/names.ts';
import { isText } from '#shared/values/registry.ts';
import { parseType, type ValueRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { ListFilter } from '#web/api/list-view.ts';
import { readDatasets } from '#web/api/record-lists.ts';
import { tableKeys, tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { shownValue, valueText } from './value-text.ts';

type OptionsFrom = NonNullable<ArchiveDetail['indexFieldDefinitions'][number]['optionsFrom']>;

/** A field whose values may be looked up in a table. */
export interface LookUpField extends Pick<ValueRules, 'type'>, Partial<Pick<ValueRules, 'scale'>> {
  readonly optionsFrom?: OptionsFrom | null | undefined;
}

/** Another field and its new text, in the form of the interface. */
export interface Fill {
  readonly name: string;
  readonly text: string | null;
}

/** A dataset of the table as an option. */
export interface LookUpOption {
  readonly jrid: string;
  readonly value: string;
  readonly fills: readonly Fill[];
  /** the values that it fills in, in the user's format */
  readonly filledValues: readonly string[];
  /** further values of the dataset that distinguish it from others */
  readonly more: readonly string[];
}

/** The matching datasets, best match first. */
export interface LookUpResult {
  readonly options: readonly LookUpOption[];
  /** the number of matching datasets; null: unknown */
  readonly total: number | null;
}

export const NO_MATCHES: LookUpResult = { options: [], total: 0 };
const MAX_SHOWN = 40;
/** Of datasets that have a value exactly, or one of another field. */
const MAX_EXACT = 5;
/** As many words of a dataset as fit on two lines. */
const MAX_WORDS = 4;
const MAX_WORD_LENGTH = 40;

interface LookUpRequest {
  /** '' before anything is typed */
  readonly typed: string;
  /** the field's value */
  readonly value: string;
  /** the values of the fields that a choice would fill */
  readonly filledValues: readonly string[];
}

/**
 * Looks up datasets for a field with options from a table (docs/interface/decisions.md, section 9). Typed text is
 * searched in the whole dataset; values that begin with it in the field's own column come first. Before anything is
 * typed, the dataset that the field names comes first, then those that match the other fields. Empty if the user may
 * not see the table.
 * @throws {CallError}
 */
export async function lookUp(
  client: QueryClient,
  field: LookUpField,
  { typed, value, filledValues }: LookUpRequest,
  signal: AbortSignal,
): Promise<LookUpResult> {
  const source = await tableOf(client, field);
  if (!source) return NO_MATCHES;
  const { column } = source;
  const list = (filter: ListFilter, limit = MAX_SHOWN) =>
    listOptions(source, filter, limit, signal);
  const wanted = typed.trim();
  if (wanted === '') {
    const [named, ...fitting] = await Promise.all([
      value === '' ? NO_MATCHES : datasetsWith(source, field, value, signal),
      ...filledValues.map((text) => list({ q: text }, MAX_EXACT)),
    ]);
    const all = await list({});
    const first = [...(named ?? NO_MATCHES).options, ...fitting.flatMap(({ options }) => options)];
    return { options: withoutRepeats([...first, ...all.options]), total: all.total };
  }
  const [inColumn, anywhere] = await Promise.all([
    isText(column)
      ? list({
          where: [{ field: column.name, op: 'like', value: wanted }],
          sort: [column.name],
        })
      : NO_MATCHES,
    list({ q: wanted }),
  ]);
  const options = [...sortByMatch(inColumn.options, wanted), ...anywhere.options];
  return {
    options: withoutRepeats(options).slice(0, MAX_SHOWN),
    total: anywhere.total === null ? null : Math.max(anywhere.total, inColumn.total ?? 0),
  };
}

/** Where the options of a field are. */
interface OptionsSource {
  readonly from: OptionsFrom;
  readonly table: TableDetail;
  readonly column: TableDetail['columns'][number];
}

/** The table of the options and its column; null if the user may not see it. */
async function tableOf(
  client: QueryClient,
  { optionsFrom: from }: LookUpField,
): Promise<OptionsSource | null> {
  if (!from) return null;
  const tables = await client.query(tablesQuery);
  const summary = findByName(tables, from.table);
  if (!summary) return null;
  const table = await client.query(tableQuery(summary.guid));
  const column = findByName(table.columns, from.column);
  return column ? { from, table, column } : null;
}

/** The datasets with exactly the value of a field; null: values of the field cannot be compared with the column's. */
async function datasetsWith(
  source: OptionsSource,
  field: LookUpField,
  text: string,
  signal: AbortSignal,
): Promise<LookUpResult | null> {
  const parsed = parseType({ type: field.type, scale: field.scale ?? null }, text);
  if (!parsed.ok) return NO_MATCHES;
  // Imported lazily: exact numbers are not part of the first load of a page.
  const { convertLookupValue } = await import('#shared/checks/lookup-value.ts');
  const { column } = source;
  const value = convertLookupValue(parsed.value, field.type, column.type);
  if (value === undefined) return null;
  const exact = valueText(value);
  if (exact === null || exact === '') return NO_MATCHES;
  const where = [{ field: column.name, op: 'eq', value: exact } as const];
  return listOptions(source, { where }, MAX_EXACT, signal);
}

async function listOptions(
  source: OptionsSource,
  filter: ListFilter,
  limit: number,
  signal: AbortSignal,
): Promise<LookUpResult> {
  const { datasets, meta } = await readDatasets(source.table.guid, filter, { limit }, signal);
  return { options: optionsOf(source, datasets), total: meta.pagination.total ?? null };
}

/** The equal value first, then those that begin with the typed text, then the others; otherwise in their order. */
export function sortByMatch(
  options: readonly LookUpOption[],
  typed: string,
): readonly LookUpOption[] {
  const wanted = fold(typed);
  const distance = ({ value }: LookUpOption) => {
    const text = fold(value);
    return value === typed ? 0 : text === wanted ? 1 : text.startsWith(wanted) ? 2 : 3;
  };
  return options.toSorted((a, b) => distance(a) - distance(b));
}

function withoutRepeats(options: readonly LookUpOption[]): LookUpOption[] {
  const seen = new Set<string>();
  return options.filter(({ jrid }) => !seen.has(jrid) && seen.add(jrid));
}

function optionsOf(
  { table, from }: OptionsSource,
  datasets: readonly Readonly<Record<string, Scalar>>[],
): LookUpOption[] {
  const filling = Object.values(from.fills).flatMap(
    (column) => findByName(table.columns, column) ?? [],
  );
  const shownColumns = new Set([from.column, ...Object.values(from.fills)].map(nameKey));
  return datasets.flatMap((dataset) => {
    const columns = new Map(Object.entries(dataset).map(([name, value]) => [nameKey(name), value]));
    const valueAt = (column: string) => valueText(columns.get(nameKey(column)) ?? null);
    const value = valueAt(from.column) ?? '';
    if (value === '') return [];
    const shownAt = (one: TableDetail['columns'][number]) =>
      shownValue(one, columns.get(nameKey(one.name)) ?? null);
    const more = table.columns
      .filter((one) => isText(one) && !shownColumns.has(nameKey(one.name)))
      .map(shownAt)
      .filter((text) => text !== '' && text.length <= MAX_WORD_LENGTH);
    return [
      {
        jrid: String(dataset['jrid']),
        value,
        fills: Object.entries(from.fills).map(([name, column]) => ({
          name,
          text: valueAt(column),
        })),
        filledValues: filling.map(shownAt).filter((text) => text !== ''),
        more: more.slice(0, MAX_WORDS),
      },
    ];
  });
}

/** The datasets that a value refers to. */
interface ReferencedDatasets {
  /** of the table */
  readonly guid: string;
  /** the table's label */
  readonly label: string;
  readonly options: readonly LookUpOption[];
}

/** The datasets that a value of a field refers to exactly; null if the user may not see the table, or it has no values of the kind. */
export const referencedDatasetsQuery = (field: LookUpField, text: string) =>
  queryOptions({
    queryKey: [...tableKeys.all, 'named', field.type, field.scale, field.optionsFrom, text],
    queryFn: async ({ client, signal }): Promise<ReferencedDatasets | null> => {
      const source = await tableOf(client, field);
      const named = source && (await datasetsWith(source, field, text, signal));
      if (!named) return null;
      return { guid: source.table.guid, label: source.table.label, options: named.options };
    },
    staleTime: 60_000,
    retry: false,
  });

/** The values to fill in: those on which all matching datasets agree. */
export function fillsOf({ options }: ReferencedDatasets): readonly Fill[] {
  const [first, ...others] = options;
  return (first?.fills ?? []).filter(({ name, text }) =>
    others.every(({ fills }) => fills.some((fill) => fill.name === name && fill.text === text)),
  );
}
