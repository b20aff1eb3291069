import type { DatasetsAnswer } from '#shared/contract/answers.ts';
import type { DeletedDataset, DeletedDatasets } from '#shared/contract/table-analysis-answers.ts';
import { answers, onlyItem, taskAnswers } from '#web/api/load-answer-schemas.ts';
import { readHistory } from '#web/api/history.ts';
import { expectOwnEvents } from '#web/api/live/own-writes.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { listQueryString } from '#web/api/list-view.ts';
import { readDatasets } from '#web/api/record-lists.ts';
import { read, readData, write, writeData, writeOnly } from '#web/api/request.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Batch, ServerRecord } from './edits.ts';

/** How many ids fit into one address. */
const MAX_IDS_PER_CALL = 200;

/** The maximum page size of the list of deletions. */
const DELETIONS_PER_PAGE = 1_000;
/** How many more pages of the list of deletions are read if others have deleted records since. */
const MAX_EXTRA_PAGES = 3;

/** A page of the deleted datasets, newest first. @param before the `next` of the previous page; null: the first */
export function readDeletions(
  guid: string,
  limit: number,
  before: string | null,
  signal?: AbortSignal,
): Promise<DeletedDatasets> {
  const query = listQueryString({}, { limit, before: before ?? '' });
  return readData(apiPaths.datasetDeleted(guid) + query, {
    signal,
    parse: async (raw) => (await taskAnswers()).deletedAnswer.parse(raw),
  });
}

type Values = Readonly<Record<string, Scalar>>;

/** The changed columns of one record, and the version that they are based on. */
export interface Put extends Batch {
  readonly jrid: string;
  readonly etag: string | null;
}

/** The record of an answer, with its findings. */
export async function onlyDataset(raw: unknown): Promise<Omit<ServerRecord, 'etag'>> {
  const { datasets, meta } = (await answers()).datasetsAnswer.parse(raw);
  const { findings, exceptions } = meta ?? {};
  return {
    dataset: onlyItem(datasets),
    findings: Array.isArray(findings) ? findings : undefined,
    exceptions,
  };
}

interface RecordAnswer {
  readonly data: Omit<ServerRecord, 'etag'>;
  readonly etag: string | null;
}

export const toStored = ({ data, etag }: RecordAnswer): ServerRecord => ({ ...data, etag });

function toStoredList({ datasets, meta }: DatasetsAnswer): ServerRecord[] {
  const { etags = {}, findings = {} } = meta ?? {};
  const found = Array.isArray(findings) ? {} : findings;
  return datasets.map((dataset) => {
    const { jrid } = dataset;
    return { dataset, etag: etags[jrid] ?? null, findings: found[jrid] };
  });
}

/** The calls for datasets that the grid's edits need. */
export function datasetCalls(guid: string) {
  const collection = { kind: 'table', id: guid } as const;
  return {
    async get(jrid: string): Promise<ServerRecord> {
      return toStored(await read(apiPaths.dataset(guid, jrid), { parse: onlyDataset }));
    },
    /** Changes columns of records, all or none, and returns the records in the same order. */
    async put(puts: readonly Put[], idempotencyKey: string): Promise<readonly ServerRecord[]> {
      const putOne = async ({ jrid, values, etag }: Put) => {
        const answer = await write(apiPaths.dataset(guid, jrid), {
          method: 'PUT',
          body: { dataset: values },
          ifMatch: etag,
          idempotencyKey,
          parse: onlyDataset,
        });
        return [toStored(answer)];
      };
      const putAll = async () => {
        const datasets = puts.map(({ jrid, values, etag }) => ({
          ...values,
          jrid,
          ...(etag === null ? {} : { ifMatch: etag }),
        }));
        const data = await writeData(apiPaths.datasets(guid), {
          method: 'PUT',
          body: { datasets },
          idempotencyKey,
          parse: async (raw) => (await answers()).datasetsAnswer.parse(raw),
        });
        return toStoredList(data);
      };
      const [only, another] = puts;
      const jrids = puts.map(({ jrid }) => jrid);
      return expectOwnEvents(collection, jrids, () => (only && !another ? putOne(only) : putAll()));
    },
    /** The present state of the existing records, by jrid. */
    async several(jrids: readonly string[]): Promise<Map<string, ServerRecord>> {
      const found = new Map<string, ServerRecord>();
      for (let from = 0; from < jrids.length; from += MAX_IDS_PER_CALL) {
        const wanted = jrids.slice(from, from + MAX_IDS_PER_CALL);
        const where = [{ field: 'jrid', op: 'in', value: wanted.join(',') } as const];
        // One request at a time leaves room for others.
        const data = await readDatasets(guid, { where }, { limit: wanted.length, findings: true });
        for (const one of toStoredList(data)) found.set(one.dataset.jrid, one);
      }
      return found;
    },
    /**
     * The last history entries of deleted records. Deletions are listed newest first, so records that were deleted long
     * before others may be missing.
     */
    async deletions(jrids: readonly string[]): Promise<readonly DeletedDataset[]> {
      const wanted = new Set(jrids);
      const found: DeletedDataset[] = [];
      const pages = Math.ceil(jrids.length / DELETIONS_PER_PAGE) + MAX_EXTRA_PAGES;
      let before: string | null = null;
      for (let page = 0; page < pages && found.length < wanted.size; page++) {
        // Each page begins where the one before ends.
        const data: DeletedDatasets = await readDeletions(guid, DELETIONS_PER_PAGE, before);
        found.push(...data.deleted.filter(({ jrid }) => wanted.has(jrid)));
        before = data.meta.pagination.next;
        if (before === null) break;
      }
      return found;
    },
    history: (jrid: string) => readHistory(apiPaths.datasetHistory(guid, jrid)),
    /** Undoes history entries of the caller, all or none. */
    async undo(entries: readonly OwnEntry[]): Promise<void> {
      const historyIds = entries.map(({ historyId }) => historyId);
      const send = () =>
        writeOnly(apiPaths.datasetUndo(guid), { method: 'POST', body: { historyIds } });
      const jrids = new Set(entries.map(({ jrid }) => jrid));
      await expectOwnEvents(collection, [...jrids], send);
    },
    /** Deletes records, all or none. */
    async delete(datasets: readonly Deletion[]): Promise<void> {
      const send = () =>
        writeOnly(apiPaths.datasets(guid), { method: 'DELETE', body: { datasets } });
      const jrids = datasets.map(({ jrid }) => jrid);
      await expectOwnEvents(collection, jrids, send);
    },
    /** Creates records, all or none, and returns them in the same order. */
    async create(
      datasets: readonly Values[],
      idempotencyKey?: string,
    ): Promise<readonly Created[]> {
      const data = await writeData(apiPaths.datasets(guid), {
        method: 'POST',
        body: { datasets },
        idempotencyKey,
        parse: async (raw) => (await answers()).datasetsAnswer.parse(raw),
      });
      const { historyIds } = data.meta ?? {};
      return toStoredList(data).map((stored) => ({
        ...stored,
        historyId: historyIds?.[stored.dataset.jrid] ?? null,
      }));
    },
  };
}

export type DatasetCalls = ReturnType<typeof datasetCalls>;

/** A record that was created, and its history entry. */
export interface Created extends ServerRecord {
  /** null: not in the answer */
  readonly historyId: string | null;
}

/** A history entry of a record. */
interface OwnEntry {
  readonly jrid: string;
  readonly historyId: string;
}

interface Deletion {
  readonly jrid: string;
  readonly ifMatch?: string;
}
