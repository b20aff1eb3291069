import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });
const archive = await buildArchive(database, [{ name: 'TOTAL' }]);
const table = await buildTable(database, [{ name: 'CODE' }]);

interface Page {
  readonly path: string;
  /** the end of the address of what cannot be read */
  readonly failing: string;
  readonly title: string;
  /** what opens the view */
  readonly press?: readonly string[];
  /** what the view shows once everything is read */
  readonly shown: string;
}

const TABLES = 'application/dataapp/tables';
const PAGES: readonly Page[] = [
  {
    path: '/administration/rights',
    failing: TABLES,
    title: 'The rights could not be read',
    shown: 'There are only administrators',
  },
  {
    path: '/administration/sessions',
    failing: TABLES,
    title: 'The locks could not be read',
    shown: 'No document is locked.',
  },
  {
    path: '/administration/users?user=anna',
    failing: TABLES,
    title: 'The access rights could not be read',
    shown: archive.name,
  },
  {
    path: '/administration/load-documents',
    failing: 'users/anna/archives',
    title: 'The archives could not be read',
    shown: 'Archive',
  },
  {
    path: '/account',
    failing: TABLES,
    title: 'The archives and tables could not be read',
    press: ['Create a token'],
    shown: 'Only these archives',
  },
  {
    path: `/archives/${archive.name}`,
    failing: '/queues',
    title: 'The queues could not be read',
    press: ['Queues and flags'],
    shown: 'No queue is waiting.',
  },
];

describe('a view that needs several answers', () => {
  it.each(PAGES)('of $path says what could not be read, and tries again', async (page) => {
    let endFailure = () => {};
    const { user } = await renderApp(app, page.path, {
      as: { username: 'anna', password: PASSWORD },
      network: ({ failReads }) => (endFailure = failReads(page.failing)),
    });
    const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
    for (const name of page.press ?? []) await press(name);
    const title = await screen.findByText(page.title);
    endFailure();
    const panel = title.closest('[role=alert]');
    await user.click(panel?.querySelector('button') ?? document.body);
    await waitFor(() => expect(screen.queryByText(page.title)).toBeNull());
    expect((await screen.findAllByText(page.shown)).length).toBeGreaterThan(0);
  });
});

it('a table whose last view does not arrive shows that it is loading, and loads by itself', async () => {
  const { service } = await renderApp(app, `/tables/${table.guid}`, {
    as: { username: 'anna', password: PASSWORD },
    network: ({ answerInstead, lose }) =>
      answerInstead(
        'GET',
        () => {
          lose();
          throw new TypeError('Failed to fetch');
        },
        'lastview',
      ),
  });
  await screen.findByRole('heading', { name: table.name });
  await screen.findByRole('status', { name: 'Loading' });
  service.reach();
  await screen.findByRole('button', { name: 'Filter' });
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull());
});
