import type { Scalar } from '#shared/values/values.ts';
import { answers } from '#web/api/answers.ts';
import { writingOwn } from '#web/api/live/own-writes.ts';
import { apiPaths } from '#web/api/paths.ts';
import { nothing, request } from '#web/api/request.ts';
import { batchEntry, datasetCalls } from '../edit-store/datasets.calls.ts';

type Values = Readonly<Record<string, Scalar>>;

/** Columns of one record to be changed, in the version `ifMatch`. */
export interface SentChange {
  readonly jrid: string;
  readonly values: Values;
  readonly ifMatch: string | null;
}

/** A record as a batch call answered it. */
export interface Written {
  readonly jrid: string;
  readonly etag: string | null;
  /** of a created one: its entry in the history; null where the service did not say */
  readonly historyId: string | null;
}

/** The calls about many datasets at once, each tried once; each is all or none. */
export function pasteCalls(guid: string) {
  const datasets = datasetCalls(guid);
  const parse = async (raw: unknown): Promise<readonly Written[]> => {
    const { datasets: written, meta } = (await answers()).datasetsAnswer.parse(raw);
    return written.map(({ jrid }) => ({
      jrid,
      etag: meta?.etags[jrid] ?? null,
      historyId: meta?.historyIds?.[jrid] ?? null,
    }));
  };
  const send = async (
    method: 'POST' | 'PUT',
    entries: readonly unknown[],
    idempotencyKey: string,
  ) => {
    const body = { datasets: entries };
    const options = { method, body, idempotencyKey, parse, gate: true };
    return (await request(apiPaths.datasets(guid), options)).data;
  };
  return {
    /** Answers in the order of the changes. @throws {CallError} */
    change: (changes: readonly SentChange[], key: string) =>
      writingOwn(
        { kind: 'table', id: guid },
        changes.map(({ jrid }) => jrid),
        () =>
          send(
            'PUT',
            changes.map(({ jrid, values, ifMatch }) => batchEntry(jrid, values, ifMatch)),
            key,
          ),
      ),
    /** Answers in the order of the rows. @throws {CallError} */
    create: (rows: readonly Values[], key: string) => send('POST', rows, key),
    /** Undoes what history entries tell of. @param jrids of which records. @throws {CallError} */
    async undo(
      historyIds: readonly string[],
      jrids: readonly string[],
      idempotencyKey: string,
    ): Promise<void> {
      const options = { method: 'POST' as const, idempotencyKey, parse: nothing, gate: true };
      const send = () => request(apiPaths.datasetUndo(guid), { ...options, body: { historyIds } });
      await writingOwn({ kind: 'table', id: guid }, jrids, send);
    },
    several: (jrids: readonly string[]) => datasets.several(jrids),
    history: datasets.history,
  };
}

export type PasteCalls = ReturnType<typeof pasteCalls>;
