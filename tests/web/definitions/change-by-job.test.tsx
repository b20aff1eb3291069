/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NO_LEASE } from '#server/database/leases.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { type RenderedApp, renderApp } from '#tests/support/render-app.tsx';
import { giveLocks } from '../give-locks.ts';

giveLocks();
const { app, database, signedIn } = await openApp(testDatabases('sqlite').open, {
  jobWait: 0,
});
await buildUser(database, { username: 'anna', role: 'administrator' });
const admin = await signedIn('anna');

const KEPT = 'Your changes that were not applied are restored.';

/** Gives each new job to another process, which does nothing. @returns gives them back */
async function holdJobs(): Promise<() => Promise<void>> {
  const execute = (statement: string) =>
    database.write(async (db) => {
      await sql.raw(statement).execute(db.k);
    });
  await execute(`create trigger hold_jobs after insert on definition_jobs begin
    update definition_jobs set lease_owner = 'another', lease_until = 9e15 where id = new.id; end`);
  onTestFinished(() => execute('drop trigger hold_jobs'));
  return () =>
    database.write(async (db) => {
      await db.k.updateTable('definition_jobs').set(NO_LEASE).execute();
    });
}

/** Opens the list of definitions. @returns waits until it has an archive with this label */
async function openList({ navigate }: Pick<RenderedApp, 'navigate'>) {
  await navigate({ to: '/administration/definitions' });
  return async (label: string) =>
    within(await screen.findByRole('table')).findByRole('link', { name: label });
}

/** Applies another label, in the designer of an archive. */
const changeLabel = (archive: Archive) => changeText(archive, /^Label/, `Other ${archive.name}`);

/** Applies another text in one of the inputs of the designer of an archive. */
async function changeText(archive: Archive, name: RegExp, text: string) {
  const path = `/administration/archives/${archive.name}`;
  const page = await renderApp(app, path, { as: { username: 'anna', password: PASSWORD } });
  const { user } = page;
  const [input] = await screen.findAllByRole('textbox', { name });
  await user.clear(input ?? document.body);
  await user.type(input ?? document.body, text);
  await user.click(screen.getByRole('button', { name: 'Preview changes' }));
  await user.click(await screen.findByRole('button', { name: 'Apply' }));
  await screen.findByText(/^The change of .* is running\.$/);
  return page;
}

it('A change that takes long is kept until its job is done, and then definitions are read again', async () => {
  const archive = await buildArchive(database, [{ name: 'TOTAL' }]);
  const goOn = await holdJobs();
  const { navigate, history } = await changeLabel(archive);
  const designer = history.location.pathname;
  await navigate({ to: '/' });
  await screen.findByRole('region', { name: 'Work lists' });
  await navigate({ to: designer });
  await screen.findByText(KEPT);
  await screen.findByDisplayValue(`Other ${archive.name}`);
  const listed = await openList({ navigate });
  const rowOf = async (label: string) => (await listed(label)).closest('tr') ?? document.body;
  await within(await rowOf(archive.name)).findByText('Changes not applied');
  await goOn();
  const changed = await rowOf(`Other ${archive.name}`);
  await waitFor(() => expect(within(changed).queryByText('Changes not applied')).toBeNull());
  await navigate({ to: designer });
  await screen.findByDisplayValue(`Other ${archive.name}`);
  expect(screen.queryByRole('button', { name: 'Discard them' })).toBeNull();
});

it('A change that fails because of values stored meanwhile says so', async () => {
  const archive = await buildArchive(database, [{ name: 'TOTAL', maxLength: 9 }]);
  const goOn = await holdJobs();
  await changeText(archive, /^Maximum length/, '3');
  await buildRecords(database, archive, [['12345']]);
  await goOn();
  const reason = `${archive.name} was not changed: stored values do not fit.`;
  expect(await screen.findByText(reason)).toBeTruthy();
});

it(
  'A change whose job is cancelled can be changed and applied again',
  { tags: ['long'] },
  async () => {
    const archive = await buildArchive(database, [{ name: 'TOTAL' }]);
    const goOn = await holdJobs();
    const { user, service } = await changeLabel(archive);
    const { id } = await database.read((db) =>
      db.k
        .selectFrom('definition_jobs')
        .select('id')
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow(),
    );
    await admin.delete(`configuration/jobs/${id}`);
    await goOn();
    await screen.findByText(/ was not changed: the change was cancelled\.$/);
    await user.click(screen.getByRole('button', { name: 'Preview changes' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('button', { name: 'Apply' }));
    const puts = () => service.calls.filter(({ method }) => method === 'PUT');
    await waitFor(() => expect(puts().at(-1)?.url).not.toContain('dryRun'));
  },
);

it('The list of definitions finds what is not applied with one search of the browser’s storage', async () => {
  const archives = [
    await buildArchive(database, [{ name: 'TOTAL' }]),
    await buildArchive(database, [{ name: 'TOTAL' }]),
    await buildArchive(database, [{ name: 'TOTAL' }]),
  ];
  const [changed = ''] = archives.map(({ name }) => name);
  const { user, navigate } = await renderApp(app, `/administration/archives/${changed}`, {
    as: { username: 'anna', password: PASSWORD },
  });
  const [label] = await screen.findAllByRole('textbox', { name: /^Label/ });
  await user.type(label ?? document.body, ' of all years');
  const search = vi.spyOn(IDBObjectStore.prototype, 'getAll');
  onTestFinished(() => search.mockRestore());
  const listed = await openList({ navigate });
  const row = (await listed(changed)).closest('tr') ?? document.body;
  await within(row).findByText('Changes not applied');
  const searched = search.mock.contexts.map((store) => Reflect.get(Object(store), 'name'));
  expect(searched.filter((name) => name === 'designs')).toHaveLength(1);
});
