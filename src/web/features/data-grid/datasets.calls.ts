import type { Dataset } from '#shared/answers.ts';
import { answers } from '#web/api/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { nothing, read, write } from '#web/api/request.ts';
import type { Scalar } from '#shared/values.ts';
import type { Stored } from './edits.ts';

type Values = Readonly<Record<string, Scalar>>;

async function onlyDataset(raw: unknown): Promise<Dataset> {
  const [dataset] = (await answers()).datasetsAnswer.parse(raw).datasets;
  if (!dataset) throw new Error('The answer holds no dataset.');
  return dataset;
}

const toStored = ({ data, etag }: { data: Dataset; etag: string | null }): Stored => ({
  dataset: data,
  etag,
});

/** The calls about single datasets, as the grid's edits need them. */
export function datasetCalls(guid: string) {
  return {
    async get(jrid: string): Promise<Stored> {
      return toStored(await read(apiPaths.dataset(guid, jrid), { parse: onlyDataset }));
    },
    /** Changes the named columns of the version `etag`. */
    async put(
      jrid: string,
      values: Values,
      etag: string | null,
      idempotencyKey: string,
    ): Promise<Stored> {
      return toStored(
        await write(apiPaths.dataset(guid, jrid), {
          method: 'PUT',
          body: { dataset: values },
          ifMatch: etag,
          idempotencyKey,
          parse: onlyDataset,
        }),
      );
    },
    async post(values: Values, idempotencyKey: string): Promise<Stored> {
      return toStored(
        await write(apiPaths.datasets(guid), {
          method: 'POST',
          body: { dataset: values },
          idempotencyKey,
          parse: onlyDataset,
        }),
      );
    },
  };
}

export type DatasetCalls = ReturnType<typeof datasetCalls>;

export interface Deletion {
  readonly jrid: string;
  readonly ifMatch?: string;
}

/** Deletes datasets, all or none. */
export async function deleteDatasets(guid: string, datasets: readonly Deletion[]): Promise<void> {
  await write(apiPaths.datasets(guid), { method: 'DELETE', body: { datasets }, parse: nothing });
}

/** How many histories are asked for at the same time. */
const AT_ONCE = 6;

/**
 * Takes back deletions: finds the newest entry in the history of each and has the service undo them, all
 * or none.
 */
export async function undoDeletion(guid: string, jrids: readonly string[]): Promise<void> {
  const historyIds: string[] = [];
  for (let from = 0; from < jrids.length; from += AT_ONCE) {
    const found = await Promise.all(
      jrids.slice(from, from + AT_ONCE).map((jrid) => newestEntry(guid, jrid)),
    );
    historyIds.push(...found);
  }
  await write(apiPaths.datasetUndo(guid), { method: 'POST', body: { historyIds }, parse: nothing });
}

async function newestEntry(guid: string, jrid: string): Promise<string> {
  const { data } = await read(apiPaths.datasetHistory(guid, jrid), {
    parse: async (raw) => (await answers()).historyAnswer.parse(raw).history,
  });
  const [entry] = data;
  if (!entry) throw new Error('The history of a deleted dataset is empty.');
  return entry.historyId;
}
