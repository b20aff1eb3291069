/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { ended, planAt } from '#tests/support/bulk-edits.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { openQueueDesk } from '../queue/desk.tsx';

const desk = await openQueueDesk();
const { database } = desk.service;

/** Makes a bulk edit of four revisions one that is paused. @param done the number of those that it has changed */
const pauseAt = (done: number) =>
  database.write(async (db) => {
    const { counts } = await db.k
      .selectFrom('bulk_edits')
      .select('counts')
      .executeTakeFirstOrThrow();
    const paused = { ...JSON.parse(counts), done, pending: 4 - done };
    const [jobs, rows] = [db.k.updateTable('bulk_edits'), db.k.updateTable('bulk_edit_revisions')];
    await jobs.set({ state: 'paused', counts: JSON.stringify(paused) }).execute();
    await rows.set({ outcome: 'done' }).where('row_id', '<=', done).execute();
    await rows.set({ outcome: 'changed' }).where('row_id', '>', done).execute();
  });

it('A job that is continued and paused again elsewhere is shown as it is then', async () => {
  const anna = await desk.service.signedIn('anna');
  const edits = [{ field: 'NOTE', do: 'set', value: 'by rule' }];
  const path = `application/archiveapp/archives/${desk.table()}/bulkedits`;
  const at = await planAt(anna, path, { filter: '' }, edits);
  await anna.post(`${at}/apply`, {});
  await ended(anna, at);
  await pauseAt(1);
  const address = `/archives/${desk.table()}?batch=${at.split('/').at(-1)}`;
  await renderApp(desk.service.app, address, { as: { username: 'anna', password: PASSWORD } });
  await screen.findByText('Paused: 1 of 4 revisions changed');
  const rows = within(await screen.findByRole('region', { name: 'Revisions of the batch' }));
  expect(rows.getAllByRole('listitem')).toHaveLength(3);
  await pauseAt(3);
  await screen.findByText('Paused: 3 of 4 revisions changed');
  await waitFor(() => {
    const now = within(screen.getByRole('region', { name: 'Revisions of the batch' }));
    expect(now.getAllByRole('listitem')).toHaveLength(1);
  });
});
