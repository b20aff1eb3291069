/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { writeEdits } from '#web/features/data-grid/edit-store/edit-database.ts';
import { NO_EDITS } from '#web/features/data-grid/edit-store/edits.ts';
import { typeText } from './type-text.ts';
import { NO_STEPS } from '#web/features/data-grid/edit-store/steps.ts';
import { cipherOf } from '#tests/support/user-cipher.ts';
import { buildColumn } from './columns.ts';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();

const MANY = 1_500;
/** Far more than a page of the grid draws, and far less than the records of these tests. */
const FEW_ELEMENTS = 200;

const recordsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => [`C-${i + 1}`, 'n', null, i, true, null, null]);

/** Counts the elements that are drawn or taken away until the end of the work. */
async function countDrawn(work: () => Promise<void>): Promise<number> {
  let drawn = 0;
  const count = (changes: readonly MutationRecord[]) => {
    for (const { addedNodes, removedNodes } of changes) {
      drawn += addedNodes.length + removedNodes.length;
    }
  };
  const observer = new MutationObserver(count);
  observer.observe(document.body, { childList: true, subtree: true });
  await work();
  count(observer.takeRecords());
  observer.disconnect();
  return drawn;
}

describe('deleting many records', () => {
  test(
    'asks the service and draws as little as deleting a few, and so does undoing it',
    { tags: ['long'] },
    async () => {
      const { focus, user, foot, queryClient, service, path } = await grids.open({
        rows: recordsOf(MANY),
      });
      await focus(0, COL.code);
      await user.keyboard('{Shift>} {/Shift}{Control>}{Shift>}{ArrowDown}{/Shift}{/Control}');
      await user.keyboard('{Control>}{Delete}{/Control}');
      const dialog = await screen.findByRole('dialog', { name: /^Delete these 1,500 records of/ });
      expect(within(dialog).getAllByRole('listitem')).toHaveLength(6);

      const before = service.calls.length;
      const cacheReads = vi.spyOn(queryClient, 'getQueriesData');
      const drawn = await countDrawn(async () => {
        await user.click(within(dialog).getByRole('button', { name: 'Delete 1,500 records' }));
        await foot().findByText('1,500 records deleted.');
      });
      expect(drawn).toBeLessThan(FEW_ELEMENTS);
      expect(cacheReads.mock.calls.length).toBeLessThan(50);
      expect(service.calls.slice(before).filter(({ method }) => method === 'DELETE')).toHaveLength(
        1,
      );
      expect(service.calls.length - before).toBeLessThan(20);
      expect((await grids.root.get(`${path}/count`)).body).toEqual({ count: 0 });

      const deleted = service.calls.length;
      await user.click(foot().getByRole('button', { name: 'Undo the deletion' }));
      await waitFor(async () => {
        expect((await grids.root.get(`${path}/count`)).body).toEqual({ count: MANY });
      });
      // Which of them are there is asked 200 at a time.
      expect(service.calls.length - deleted).toBeLessThan(MANY / 200 + 20);
    },
  );
});

describe('many rows that the service refuses', () => {
  test('are named by it together, and drawn page by page', { tags: ['long'] }, async () => {
    const { focus, user, paste, path, foot, writes, grid } = await grids.open({ rows: [] });
    const codes = Array.from({ length: 900 }, (_, i) => `B-${i + 1}`);
    await focus(0, COL.code);
    paste(0, COL.code, codes.map((code) => `${code}\tmine`).join('\n'));
    const dialog = await screen.findByRole('dialog', { name: /^Paste 900 rows/ });
    const go = await within(dialog).findByRole('button', { name: 'Paste' });
    // Somebody else is faster.
    const theirs = codes.map((code) => ({ code, name: 'theirs' }));
    expect((await grids.root.post(path, { datasets: theirs })).status).toBe(200);
    const drawn = await countDrawn(async () => {
      await user.click(go);
      await foot().findByText(/^900 entries are not saved/);
    });
    // The rows in sight are drawn twice: while they are sent, and refused.
    expect(drawn).toBeLessThan(2 * FEW_ELEMENTS);
    // One call creates 500.
    expect(writes().map(({ method, status }) => [method, status])).toEqual([
      ['POST', 409],
      ['POST', 409],
    ]);
    expect(grid.querySelectorAll('[data-row]').length).toBeLessThan(100);
    const tray = within(await screen.findByRole('region', { name: 'Not saved' }));
    await waitFor(() => expect(tray.getAllByRole('listitem')).toHaveLength(200));
  });

  test('are sent together after their tab was closed', async () => {
    const COUNT = 40;
    const columns = [buildColumn('code', { required: true }), buildColumn('name')];
    const { foot, writes } = await grids.open({
      before: async ({ username, guid }) => {
        let edits = NO_EDITS;
        const empty = { initialValue: null, stored: null };
        for (let i = 1; i <= COUNT; i++) {
          for (const column of columns) edits = typeText(edits, `new:${i}`, column, 'A-1', empty);
        }
        const cipher = cipherOf(await grids.signedIn(username));
        const location = { username, guid: guid.toLowerCase(), tab: 'closed' };
        await writeEdits(location, { edits, steps: NO_STEPS }, cipher);
      },
    });
    await foot().findByText(/^40 entries are not saved/);
    expect(writes().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
