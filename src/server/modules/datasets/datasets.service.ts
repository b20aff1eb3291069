import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { EntryErrors } from '#shared/contract/errors.ts';
import { findByName } from '#shared/rules/names.ts';
import { jridSchema, type ColumnValues } from '#shared/contract/requests.ts';
import type { Table } from '#server/database/records/collection.ts';
import { fullCollectionOf } from '#server/database/records/collection-view.ts';
import { pathsBelow } from '../records/sent-record.ts';
import {
  planChanges,
  planCreations,
  planRemovals,
  singleRecord,
  type ChangedRecords,
  type ChangeEntry,
  type CreateEntry,
  type ErrorPaths,
  type SentRecord,
  type Writer,
} from '../records/records.service.ts';
import { executePlan, type WritePlan } from '../records/write-plan.ts';

/** Where the errors of a call about one dataset are reported. */
const SINGLE_PATHS: ErrorPaths = {
  whole: '-',
  field: (name) => `dataset.${name}`,
  keyword: () => '-',
};

const batchPaths = (position: number) => pathsBelow(`datasets.${position}`);

const JRID = 'jrid';
const IF_MATCH = 'ifMatch';

/** Creates one dataset (docs/interface/rest-interface.md, section 4.3). */
export async function createDataset(
  db: Transaction,
  table: Table,
  writer: Writer,
  values: ColumnValues,
): Promise<StoredRecord> {
  const creations = toCreations(table, [values], () => SINGLE_PATHS);
  return singleRecord(await executePlan(db, await planCreations(db, table, writer, creations)));
}

/** Plans to create several datasets, all or none. */
export function planNewDatasets(
  db: Transaction,
  table: Table,
  writer: Writer,
  datasets: readonly ColumnValues[],
): Promise<WritePlan<StoredRecord[]>> {
  return planCreations(db, table, writer, toCreations(table, datasets, batchPaths));
}

function toCreations(
  table: Table,
  datasets: readonly ColumnValues[],
  pathsOf: (position: number) => ErrorPaths,
): CreateEntry[] {
  const initial = {
    values: fullCollectionOf(table).fields.map((column) => column.default),
    keywords: [],
  };
  return datasets.map((values, position) => ({
    paths: pathsOf(position),
    sent: toSent(values, []),
    initial,
    document: null,
    otherChanges: [],
  }));
}

interface DatasetChange {
  readonly jrid: number;
  readonly values: ColumnValues;
  readonly ifMatch: string | null;
}

/** Changes the named columns of a dataset (docs/interface/rest-interface.md, section 4.4). */
export async function changeDataset(
  db: Transaction,
  table: Table,
  writer: Writer,
  { jrid, values, ifMatch }: DatasetChange,
): Promise<StoredRecord> {
  const errors = new EntryErrors();
  const named = readJrid(values);
  if (named !== undefined && named !== jrid) {
    errors.add('validation_failed', SINGLE_PATHS.field(JRID), texts.jridDiffers);
  }
  const sent = toSent(values, [JRID]);
  checkNotEmpty(sent, SINGLE_PATHS, errors);
  const entry = { id: jrid, paths: SINGLE_PATHS, ifMatch, sent, requiresAllFields: false };
  const plan = await planChanges(db, table, writer, [entry], { single: true, errors });
  return singleRecord((await executePlan(db, plan)).records);
}

/**
 * Plans to change several datasets, all or none; each entry names its `jrid` and the columns to change.
 * @param ifMatch the expected version of datasets whose entry names none; null: any
 */
export function planDatasetChanges(
  db: Transaction,
  table: Table,
  writer: Writer,
  datasets: readonly ColumnValues[],
  ifMatch: string | null,
): Promise<WritePlan<ChangedRecords>> {
  const errors = new EntryErrors();
  const entries = datasets.flatMap((values, position): ChangeEntry[] => {
    const paths = batchPaths(position);
    const id = readJrid(values);
    const expected =
      Object.hasOwn(values, IF_MATCH) && !findByName(table.fields, IF_MATCH)
        ? values[IF_MATCH]
        : ifMatch;
    if (typeof id !== 'number') {
      errors.add('validation_failed', paths.field(JRID), texts.jridMissing);
    }
    if (expected !== null && typeof expected !== 'string') {
      errors.add('validation_failed', paths.field(IF_MATCH), texts.ifMatchInvalid);
    }
    const sent = toSent(values, findByName(table.fields, IF_MATCH) ? [JRID] : [JRID, IF_MATCH]);
    checkNotEmpty(sent, paths, errors);
    if (typeof id !== 'number') return [];
    const checked = typeof expected === 'string' ? expected : null;
    return [{ id, paths, ifMatch: checked, sent, requiresAllFields: false }];
  });
  return planChanges(db, table, writer, entries, { errors });
}

/**
 * Plans to delete datasets, all or none.
 * @param ifMatch the expected version of datasets whose entry names none; null: any
 */
export function planDeletions(
  db: Transaction,
  table: Table,
  writer: Writer,
  datasets: readonly { readonly jrid: number; readonly ifMatch?: string | undefined }[],
  ifMatch: string | null,
): Promise<WritePlan<void>> {
  const entries = datasets.map((dataset, position) => ({
    id: dataset.jrid,
    paths: batchPaths(position),
    ifMatch: dataset.ifMatch ?? ifMatch,
  }));
  return planRemovals(db, table, writer, entries);
}

function toSent(values: ColumnValues, except: readonly string[]): SentRecord {
  const sent = Object.entries(values).filter(([name]) => !except.includes(name));
  return { values: sent.map(([name, value]) => ({ name, value })), keywords: [] };
}

/** The `jrid` in a body: undefined if there is none, null if it is invalid. */
function readJrid(values: ColumnValues): number | null | undefined {
  if (!Object.hasOwn(values, JRID)) return undefined;
  const parsed = jridSchema.safeParse(values[JRID]);
  return parsed.success ? parsed.data : null;
}

function checkNotEmpty(sent: SentRecord, paths: ErrorPaths, errors: EntryErrors): void {
  if (sent.values.length === 0) {
    errors.add('validation_failed', paths.whole, texts.noColumnNamed);
  }
}
