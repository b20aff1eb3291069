import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser } from '#tests/support/app.ts';
import { editor, form, grid, openDesk, row } from './desk.tsx';

const desk = await openDesk();
await buildUser(desk.service.database, {
  username: 'ben',
  displayName: 'Ben Carter',
  role: 'administrator',
});
const namesakes = [
  { username: 'kim1', displayName: 'Kim Lee', role: 'administrator' },
  { username: 'kim2', displayName: 'Kim Lee', role: 'administrator' },
] as const;
for (const namesake of namesakes) await buildUser(desk.service.database, namesake);

const correct = async (username: string, id: string, name: string, value: string) => {
  const client = await desk.service.signedIn(username);
  const body = { indexFields: [{ name, value }] };
  const { status, text } = await client.patch(`${desk.pathOf(id)}/indexdata`, body);
  if (status !== 200) throw new Error(text);
};

it('are called by their names in the list, its locks, the history and presence', async () => {
  const ben = await desk.service.signedIn('ben');
  await correct('ben', '1', 'SUPPLIER', 'Other');
  expect((await ben.patch(desk.pathOf('1'), { locked: true })).status).toBe(200);
  await ben.put(`${desk.pathOf('1')}/viewers`, { editing: false });
  const reader = await desk.userWith('read');
  const { user } = await desk.open('?selected=1&columns=revisionId,changedBy', reader);
  const open = await form('1');
  const listed = within(await row('1'));
  expect(await listed.findByRole('img', { name: 'Locked by Ben Carter' })).toBeTruthy();
  expect(await listed.findByTitle('ben')).toHaveProperty('textContent', 'Ben Carter');
  expect(within(open).getByText(/^Ben Carter locked this revision at /)).toBeTruthy();
  expect(await within(open).findByText('Ben Carter has this open.')).toBeTruthy();
  await user.click(within(open).getByRole('button', { name: 'History' }));
  const history = within(within(open).getByRole('region', { name: 'History' }));
  const [newest] = await history.findAllByText('Ben Carter');
  expect(newest?.title).toBe('ben');
  expect((await grid()).textContent).not.toContain('ben');
});

it(
  'are distinguished by their usernames where they have the same name',
  { tags: ['long'] },
  async () => {
    await correct('kim2', '1', 'SUPPLIER', 'Other');
    await desk.open('?columns=revisionId,changedBy');
    expect(await within(await row('1')).findByText('Kim Lee (kim2)')).toBeTruthy();
  },
);

it('are called by their names in a conflict', { tags: ['long'] }, async () => {
  const { user } = await desk.open('?selected=1');
  const open = await form('1');
  await user.type(editor(open, 'Supplier'), '!');
  await correct('ben', '1', 'SUPPLIER', 'Other');
  await user.keyboard('{Control>}s{/Control}');
  const panel = await within(open).findByRole('group', { name: 'Changed meanwhile' });
  expect(within(panel).getByRole('heading').textContent).toMatch(/^Ben Carter changed/);
});

it(
  'are called by their names in the latest changes of the overview',
  { tags: ['long'] },
  async () => {
    await correct('ben', '2', 'SUPPLIER', 'Other');
    const { navigate } = await desk.open();
    await grid();
    void navigate({ to: '/' });
    const latest = within(await screen.findByRole('region', { name: 'Latest changes' }));
    expect((await latest.findAllByText('Ben Carter')).length).toBeGreaterThan(0);
  },
);
