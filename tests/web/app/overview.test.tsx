/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, PASSWORD } from '#tests/support/app.ts';
import { buildArchive, rightOn } from '#tests/support/builders.ts';
import { ended, planAt } from '#tests/support/bulk-edits.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { editor, form, grid } from '../archive/desk.tsx';
import { openQueueDesk } from '../queue/desk.tsx';

const desk = await openQueueDesk();
await buildUser(desk.service.database, { username: 'nora' });

const SKIP = '{Alt>}{ArrowDown}{/Alt}';
const open = (username = 'anna') =>
  renderApp(desk.service.app, '/', { as: { username, password: PASSWORD } });
const region = async (name: string) => within(await screen.findByRole('region', { name }));
const inArchive = (path: string) => `application/archiveapp/archives/${desk.table()}/${path}`;

/** Anna's work list of the archive. @param search which its revisions match */
async function saveList(name: string, search: string): Promise<void> {
  const anna = await desk.service.signedIn('anna');
  const { status, text } = await anna.post(inArchive('views'), { name, shared: false, search });
  if (status !== 201) throw new Error(text);
}

it(
  'starts the queue of a work list, and resumes it where it was left',
  { tags: ['long'] },
  async () => {
    await saveList('Not paid', 'where%5BPAID%5D%5Beq%5D=true&sort=revisionId');
    await saveList('Nothing', 'where%5BrevisionId%5D%5Bgt%5D=100');
    const { user } = await open();
    const lists = within(await screen.findByRole('article', { name: desk.table() }));
    const [notPaid, nothing] = lists.getAllByRole('listitem');
    await waitFor(() => expect(nothing?.textContent).toBe('Nothing Done'));
    expect(within(nothing ?? document.body).queryByRole('button')).toBeNull();
    await waitFor(() => expect(notPaid?.textContent).toBe('Not paid0 of 22Start'));
    const progress = within(notPaid ?? document.body).getByRole('progressbar');
    expect(progress).toHaveProperty('value', 0);

    await user.click(lists.getByRole('button', { name: 'Start: Not paid' }));
    await form('2');
    await user.keyboard(SKIP);
    await form('4');
    await user.click(screen.getByRole('link', { name: 'Indexdesk' }));
    const again = within(await screen.findByRole('article', { name: desk.table() }));
    const resume = await again.findByRole('link', { name: 'Resume: Not paid: 2 of 2' });
    expect(again.getAllByRole('progressbar')[0]).toHaveProperty('value', 1);
    expect(again.queryByRole('button', { name: 'Start: Not paid' })).toBeNull();
    // It is offered once.
    expect(screen.queryByRole('region', { name: 'Queues to resume' })).toBeNull();
    await user.click(resume);
    await form('4');
  },
);

it('lists what was typed and not saved, what is flagged, and queues that belong to no list', async () => {
  const anna = await desk.service.signedIn('anna');
  await anna.put(inArchive('documents/3/flag'), { note: 'Ask the supplier' });
  const { user, navigate, writes } = await desk.open('?selected=2');
  await user.type(editor(await form('2'), 'Note'), 'typed');
  void navigate({ to: '/' });
  const unsaved = await region('Not saved');
  const own = unsaved.getByRole('link', { name: /^Revision 2 ?ARCHIVE_/ });
  const flags = await region('Flagged for later');
  expect(flags.getByRole('link', { name: /^Revision 3 ?Ask the supplier$/ })).toBeTruthy();
  await user.click(own);
  expect(editor(await form('2'), 'Note')).toHaveProperty('value', 'typed');

  void navigate({ to: '/' });
  const later = await region('Flagged for later');
  // However often it is clicked, one queue starts.
  await user.dblClick(later.getByRole('button', { name: `Start: flagged in ${desk.table()}` }));
  await form('3');
  expect(writes().filter(({ url }) => url.endsWith('/queues'))).toHaveLength(1);
});

it(
  'shows what others change last, at once when the overview is opened',
  { tags: ['long'] },
  async () => {
    await desk.changeElsewhere('4', { NOTE: 'changed by root' });
    const { user } = await open();
    const changes = await region('Latest changes');
    const [latest] = changes.getAllByRole('link');
    expect(latest?.textContent).toMatch(new RegExp(`^Revision 4${desk.table()}root, `));
    await user.click(latest ?? document.body);
    await form('4');
  },
);

it(
  'leads from a batch under way to its receipt, and to the list once that is closed',
  { tags: ['long'] },
  async () => {
    const anna = await desk.service.signedIn('anna');
    const edits = [{ field: 'NOTE', do: 'set', value: 'by rule' }];
    const at = await planAt(anna, inArchive('bulkedits'), { filter: '' }, edits);
    await anna.post(`${at}/apply`, {});
    await ended(anna, at);
    // It stays as it is, whatever the speed of the machine.
    await desk.service.database.write((db) =>
      db.k.updateTable('bulk_edits').set({ state: 'paused' }).execute(),
    );
    const { user, search } = await open();
    const batches = await region('Batches under way');
    await user.click(batches.getByRole('link', { name: /^Bulk edit: Paused/ }));
    const receipt = within(await screen.findByRole('dialog', { name: 'Bulk edit' }));
    await receipt.findByText('Paused: 4 of 4 revisions changed');
    expect(search()).toMatchObject({ batch: at.split('/').at(-1) });
    await user.click(receipt.getAllByRole('button', { name: 'Close' })[0] ?? document.body);
    await waitFor(() => expect(search()['batch']).toBeUndefined());
    expect(screen.queryByRole('dialog')).toBeNull();
  },
);

it('tells archives of equal labels apart by their names, as the side bar does', async () => {
  const { database } = desk.service;
  const fields = [{ name: 'NO' }];
  const archives = [
    await buildArchive(database, fields, [], { name: 'Invoices' }),
    await buildArchive(database, fields, [], { name: 'Invoices' }),
  ];
  await buildUser(database, {
    username: 'nina',
    rights: archives.map((archive) => rightOn(archive, 'write')),
  });
  await open('nina');
  for (const { name } of archives) {
    const card = within(await screen.findByRole('article', { name: `Invoices (${name})` }));
    expect(card.getByRole('heading', { level: 3 }).textContent).toBe(`Invoices ${name}`);
    const sideBar = within(screen.getByRole('complementary', { name: 'Side bar' }));
    expect(sideBar.getByText(name).closest('a')?.textContent).toBe(`Invoices ${name}0`);
  }
});

it('says to those without rights that there is nothing to work on', async () => {
  await open('nora');
  expect(await screen.findByText('Nothing to work on yet')).toBeTruthy();
});

it(
  'offers a queue that is made late once the user is on another page',
  { tags: ['long'] },
  async () => {
    await saveList('Not paid', 'where%5BPAID%5D%5Beq%5D=true&sort=revisionId');
    const { user, service, navigate, history } = await open();
    const lists = within(await screen.findByRole('article', { name: desk.table() }));
    const makeOn = service.hold('POST', '/queues');
    await user.click(await lists.findByRole('button', { name: 'Start: Not paid' }));
    await navigate({ to: '/archives/$archive', params: { archive: desk.table() } });
    await grid();
    makeOn();
    const notices = await region('Notices');
    await notices.findByText('The queue is ready: Not paid: 1 of 2.');
    expect(history.location.pathname).toBe(`/archives/${desk.table()}`);
    await user.click(notices.getByRole('button', { name: 'Open the queue' }));
    await form('2');
  },
);
