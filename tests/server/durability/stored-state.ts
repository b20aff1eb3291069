import * as answers from '#shared/contract/answers.ts';
import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { ServiceClient } from '#tests/support/service-client.ts';
import { ARCHIVE, DATASETS } from './ledger-content.ts';

/** A record as the service shows it, with its whole history. */
export interface ShownRecord {
  /** its place in the interface; unique */
  readonly path: string;
  readonly id: string;
  readonly etag: string | undefined;
  readonly values: ReadonlyMap<string, unknown>;
  /** oldest first */
  readonly history: readonly HistoryEntry[];
}

/** Reads all records of the ledger's archive and table through the service. */
export async function readState(client: ServiceClient): Promise<ShownRecord[]> {
  const records: Omit<ShownRecord, 'history'>[] = [];
  const get = async (path: string) => {
    const answer = await client.send({ method: 'GET', path });
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.bytes.toString()}`);
    return answer.body;
  };
  await allPages(async (query) => {
    const page = answers.indexAnswer.parse(await get(`${ARCHIVE}/index?${query}`));
    for (const { revisionId: id, indexFields } of page.archivedocuments) {
      const values = new Map(indexFields.map(({ name, value }) => [name, value]));
      const path = `${ARCHIVE}/documents/${id}`;
      records.push({ path, id, etag: page.meta.etags[id], values });
    }
    return page.meta.pagination.next;
  });
  await allPages(async (query) => {
    const page = answers.datasetListAnswer.parse(await get(`${DATASETS}?${query}`));
    for (const { jrid: id, ...columns } of page.datasets) {
      const values = new Map<string, unknown>(Object.entries(columns));
      records.push({ path: `${DATASETS}/${id}`, id, etag: page.meta.etags[id], values });
    }
    return page.meta.pagination.next;
  });

  const shown: ShownRecord[] = [];
  const waiting = records.values();
  const readers = Array.from({ length: 8 }, async () => {
    for (const record of waiting) {
      const { history } = answers.historyAnswer.parse(await get(`${record.path}/history`));
      shown.push({ ...record, history: history.toReversed() });
    }
  });
  await Promise.all(readers);
  return shown;
}

async function allPages(read: (query: string) => Promise<string | null>): Promise<void> {
  let after: string | null = null;
  do {
    const next: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    after = await read(`limit=1000${next}`);
  } while (after !== null);
}

/** What is wrong with a record whose history does not lead to what it holds, step by step. */
export function contradictions({ path, etag, values, history }: ShownRecord): string[] {
  const found: string[] = [];
  const replayed = new Map<string, unknown>();
  for (const { historyId, changes } of history) {
    for (const { name, before, after } of changes) {
      const known = replayed.get(name) ?? null;
      if (values.has(name) && known !== before) {
        found.push(
          `${path}: entry ${historyId} knows ${shown(before)} before, not ${shown(known)}`,
        );
      }
      replayed.set(name, after);
    }
  }
  for (const [name, value] of values) {
    const known = replayed.get(name) ?? null;
    if (known !== value) {
      found.push(`${path}: ${name} is ${shown(value)}, its history ends with ${shown(known)}`);
    }
  }
  if (etag !== `"${history.length}"`) {
    found.push(`${path}: version ${String(etag)} after ${history.length} entries`);
  }
  return found;
}

const shown = (value: unknown) => JSON.stringify(value);

/** By each value that ever was written as a token, the records it was written to, as often as it was. */
export function tokensOf(records: readonly ShownRecord[]): Map<string, string[]> {
  const tokens = new Map<string, string[]>();
  for (const { id, history } of records) {
    for (const { changes } of history) {
      for (const { name, after } of changes) {
        if (!/^(?:TOKEN|token|note)$/.test(name) || typeof after !== 'string') continue;
        const ids = tokens.get(after);
        if (ids) ids.push(id);
        else tokens.set(after, [id]);
      }
    }
  }
  return tokens;
}
