/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { ended, planAt } from '#tests/support/bulk-edits.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { openQueueDesk } from '../queue/desk.tsx';

const desk = await openQueueDesk();
const { database } = desk.service;

/**
 * Makes a bulk edit of four revisions one that is paused, or that another process works on.
 * @param done the number of those that it has changed
 */
const setAt = (state: 'paused' | 'applying', done: number) =>
  database.write(async (db) => {
    const { counts } = await db.k
      .selectFrom('bulk_edits')
      .select('counts')
      .executeTakeFirstOrThrow();
    const now = { ...JSON.parse(counts), done, pending: 4 - done };
    const lease = { lease_owner: 'another', lease_until: Date.now() + 3_600_000 };
    const [jobs, rows] = [db.k.updateTable('bulk_edits'), db.k.updateTable('bulk_edit_revisions')];
    await jobs.set({ state, counts: JSON.stringify(now), ...lease }).execute();
    await rows.set({ outcome: 'done' }).where('row_id', '<=', done).execute();
    await rows.set({ outcome: 'changed' }).where('row_id', '>', done).execute();
  });

/** Opens a bulk edit that has changed one of four revisions. */
const openAt = async (state: 'paused' | 'applying') => {
  const anna = await desk.service.signedIn('anna');
  const edits = [{ field: 'NOTE', do: 'set', value: 'by rule' }];
  const path = `application/archiveapp/archives/${desk.table()}/bulkedits`;
  const at = await planAt(anna, path, { filter: '' }, edits);
  await anna.post(`${at}/apply`, {});
  await ended(anna, at);
  await setAt(state, 1);
  const address = `/archives/${desk.table()}?batch=${at.split('/').at(-1)}`;
  await renderApp(desk.service.app, address, { as: { username: 'anna', password: PASSWORD } });
};
const listed = () =>
  within(screen.getByRole('region', { name: 'Revisions of the batch' })).getAllByRole('listitem');

it('A job that is continued and paused again elsewhere is shown as it is then', async () => {
  await openAt('paused');
  await screen.findByText('Paused: 1 of 4 revisions changed');
  await waitFor(() => expect(listed()).toHaveLength(3));
  await setAt('paused', 3);
  await screen.findByText('Paused: 3 of 4 revisions changed');
  await waitFor(() => expect(listed()).toHaveLength(1));
});

it('A job that is paused and continued elsewhere shows the records of its second run', async () => {
  await openAt('applying');
  await waitFor(() => expect(listed()).toHaveLength(3));
  await setAt('paused', 2);
  await waitFor(() => expect(listed()).toHaveLength(2));
  await setAt('applying', 3);
  await waitFor(() => expect(listed()).toHaveLength(1));
});
