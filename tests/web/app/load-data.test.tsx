/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });

const CHECK = 'Create the archive and check the rows';
const FOR_DOCUMENTS = 'Create the archive and load its files';

async function openLoadData() {
  const page = await renderApp(app, '/administration/load', {
    as: { username: 'anna', password: PASSWORD },
  });
  const { user, container } = page;
  const choose = async (name: string) => {
    const input = container.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('There is no input for a file.');
    await user.upload(input, new File([`Code;Sum\r\n${name};12\r\n`], `${name}.csv`));
  };
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  return { ...page, choose, press };
}

describe('another file that is chosen before the answer about the first', () => {
  test.each([
    { held: 'archives', late: 'imports', button: CHECK, names: ['Early', 'Late'] },
    { held: 'imports', late: 'imports', button: CHECK, names: ['One', 'Two'] },
    { held: 'archives', late: 'archives', button: FOR_DOCUMENTS, names: ['Left', 'Right'] },
  ])('shows its own form ($held, $button)', async ({ held, late, button, names }) => {
    const { service, choose, press } = await openLoadData();
    const [first = '', second = ''] = names;
    const sentTo = (path: string) =>
      service.calls.find(({ method, url }) => method === 'POST' && url.endsWith(path));
    await screen.findByText(/^CSV, TSV/);
    await choose(first);
    await screen.findByDisplayValue(first);
    const release = service.hold('POST', held);
    await press(button);
    await waitFor(() => expect(sentTo(held)).toMatchObject({ status: null }));
    await choose(second);
    // The first archive is created: its columns are chosen.
    if (held === 'imports') await press('Discard');
    await screen.findByDisplayValue(second);
    release();
    await waitFor(() => expect(sentTo(late)).toMatchObject({ status: expect.any(Number) }));
    await press(CHECK);
    const job = await screen.findByRole('region', { name: 'What is loaded' });
    await within(job).findByRole('heading', { name: second });
  });
});
