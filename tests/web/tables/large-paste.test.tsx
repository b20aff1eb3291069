/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { isDisabled } from '#tests/support/is-disabled.ts';
import { bulkEditListAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();
const ROWS = 1_001;
const UNDO = '{Control>}z{/Control}';

const lines = (line: (number: number) => string) =>
  Array.from({ length: ROWS }, (_, i) => line(i + 1)).join('\n');

/** The plan of the service, as it is shown over the grid. */
const planOf = () => screen.findByRole('dialog', { name: 'Paste' });

/** Waits until the service has ended the job: looking for texts is slow while jsdom draws hundreds of rows. */
const jobIs = (path: string, state: string) =>
  waitFor(
    async () => {
      const { body } = await grids.root.get(path.replace('datasets', 'bulkedits'));
      expect(bulkEditListAnswer.parse(body).bulkedits[0]?.state).toBe(state);
    },
    { timeout: 120_000, interval: 200 },
  );

describe('a paste of more than 1,000 rows', () => {
  test(
    'is planned by the service, applied by it, and one step of undo',
    { tags: ['long'] },
    async () => {
      const opened = await grids.open();
      const { paste, focus, user, stored, path, writes, cell } = opened;
      const before = await stored();
      await focus(0, COL.code);
      paste(
        0,
        COL.code,
        lines((i) => `B-${i}\tname ${i}`),
      );
      const plan = within(await planOf());
      await plan.findByText(/998 records would be created and 3 changed; nothing is changed yet/);
      const write = await plan.findByText('Write 1,001 records');
      await waitFor(() => expect(isDisabled(write.closest('button'))).toBe(false));
      expect(await stored()).toEqual(before);
      await user.click(write);
      await jobIs(path, 'done');
      await plan.findByText('1,001 records written');
      await user.click(await plan.findByText('Close'));
      await waitFor(() => expect(cell(0, COL.code).textContent).toBe('B-1'));
      expect(writes().map(({ url }) => url.replace(/^.*tables\/[^/]+\//, ''))).toEqual([
        'pastes',
        expect.stringMatching(/^bulkedits\/\d+\/apply$/),
      ]);
      await focus(0, COL.code);
      await screen.findByRole('button', { name: /^Undo: pasting/ });
      await user.keyboard(UNDO);
      const reverted = within(await planOf());
      await jobIs(path, 'undone');
      await reverted.findByText('1,001 records undone');
      expect((await grids.root.get(`${path}/count`)).body).toEqual({ count: 3 });
      expect(await stored()).toEqual(before);
    },
  );

  test('asks once how its numbers are written, and lists the rows that cannot be written', async () => {
    const { paste, focus, user, stored, service } = await grids.open({
      columns: [
        { name: 'code', label: 'Code', required: true },
        { name: 'net', label: 'Net', type: 'decimal', scale: 3 },
      ],
      rows: [],
    });
    await focus(0, 1);
    paste(
      0,
      1,
      lines((i) => (i === 7 ? 'B-7\tmany' : `B-${i}\t1.234`)),
    );
    const dialog = await screen.findByRole('dialog', { name: /^Paste 1,001 rows/ });
    const question = within(dialog).getByRole('group', { name: /1\.234.* mean in Net/ });
    const preview = within(dialog).getByRole('button', { name: 'Preview' });
    expect(isDisabled(preview)).toBe(true);
    await user.click(within(question).getByRole('radio', { name: /point before decimals/ }));
    const answer = service.hold('POST', 'pastes');
    service.answerInstead('POST', () => new Response('Bad gateway', { status: 502 }));
    await user.click(preview);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    answer();
    await within(dialog).findByRole('alert');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Try again'));
    await user.keyboard('{Enter}');
    const plan = within(await planOf());
    await plan.findByText(/1,000 records would be created, 1 row has a problem/);
    await user.click(plan.getByRole('button', { name: '1 not possible' }));
    await plan.findByText(/^Row 7: Net “many”: /);
    await user.click(plan.getByRole('button', { name: 'Cancel' }));
    expect(await stored()).toEqual([]);
  });
});
