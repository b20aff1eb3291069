import type { Scalar } from '#shared/values.ts';
import { answers } from '#web/api/answers.ts';
import { readHistory } from '#web/api/history.ts';
import { writingOwn } from '#web/api/live/own-writes.ts';
import { apiPaths } from '#web/api/paths.ts';
import { nothing, write } from '#web/api/request.ts';
import { batchEntry } from '../datasets.calls.ts';

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

/** The calls about many datasets at once; each is all or none. */
export function pasteCalls(guid: string) {
  const parse = async (raw: unknown): Promise<readonly Written[]> => {
    const { datasets, meta } = (await answers()).datasetsAnswer.parse(raw);
    return datasets.map(({ jrid }) => ({
      jrid,
      etag: meta?.etags[jrid] ?? null,
      historyId: meta?.historyIds?.[jrid] ?? null,
    }));
  };
  const send = async (
    method: 'POST' | 'PUT',
    datasets: readonly unknown[],
    idempotencyKey: string,
    signal: AbortSignal | undefined,
  ) => {
    const options = { method, body: { datasets }, idempotencyKey, parse, signal };
    return (await write(apiPaths.datasets(guid), options)).data;
  };
  return {
    /** Answers in the order of the changes. @throws {CallError} */
    change: (changes: readonly SentChange[], key: string, signal?: AbortSignal) =>
      writingOwn(
        { kind: 'table', id: guid },
        changes.map(({ jrid }) => jrid),
        () =>
          send(
            'PUT',
            changes.map(({ jrid, values, ifMatch }) => batchEntry(jrid, values, ifMatch)),
            key,
            signal,
          ),
      ),
    /** Answers in the order of the rows. @throws {CallError} */
    create: (rows: readonly Values[], key: string, signal?: AbortSignal) =>
      send('POST', rows, key, signal),
    /** Takes back what history entries tell of. @throws {CallError} */
    async undo(historyIds: readonly string[], idempotencyKey: string): Promise<void> {
      const options = { method: 'POST' as const, idempotencyKey, parse: nothing };
      await write(apiPaths.datasetUndo(guid), { ...options, body: { historyIds } });
    },
    /** The history entry by which a record came to be. @throws {CallError} */
    async creationOf(jrid: string): Promise<string | null> {
      const history = await readHistory(apiPaths.datasetHistory(guid, jrid));
      return history.at(-1)?.historyId ?? null;
    },
  };
}

export type PasteCalls = ReturnType<typeof pasteCalls>;
