import { QueryClient } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { datasetCalls } from '#web/features/data-grid/edit-store/datasets.calls.ts';
import {
  removeHiddenPages,
  PAGE_SIZE,
  readBlock,
} from '#web/features/data-grid/datasets.queries.ts';
import { createEditStore } from '#web/features/data-grid/edit-store/edit-store.ts';

const GUID = '5b0d7f2e-9c41-4f6a-8d27-3e1a6c90b7aa';
const TOTAL = 3050;

test('a long block is whole, though what is not on the screen is forgotten while it is read', async () => {
  const client = new QueryClient();
  const answer = (path: string): Response => {
    const { searchParams } = new URL(path, 'http://localhost');
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name)));
    const count = Math.min(limit ?? 0, TOTAL - (offset ?? 0));
    const datasets = Array.from({ length: count }, (_, i) => ({ jrid: `${(offset ?? 0) + i}` }));
    // As when another user's changes were missed.
    removeHiddenPages(client, GUID);
    const pagination = { total: TOTAL, limit, offset, next: null };
    return Response.json({ datasets, meta: { pagination, etags: {} } });
  };
  vi.stubGlobal('fetch', async (path: string) => answer(path));
  onTestFinished(() => void vi.unstubAllGlobals());
  const desk = createEditStore(datasetCalls(GUID), () => undefined);
  const reading = { view: {}, number: 1 };
  const pages = await readBlock(client, { guid: GUID, reading, editStore: desk }, 50, TOTAL - 1);
  const rows = [...pages].flatMap(([number, page]) =>
    page.rows.map(({ dataset }, i) => [dataset.jrid, `${number * PAGE_SIZE + i}`]),
  );
  expect(rows).toHaveLength(TOTAL);
  for (const [jrid, place] of rows) expect(jrid).toBe(place);
});
