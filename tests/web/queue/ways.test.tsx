/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { sampled } from '#tests/support/effort.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { editor, form, row, shownIds } from '../archive/desk.tsx';
import { atEnd, openQueueDesk, shownId } from './desk.tsx';

const desk = await openQueueDesk();

const START = '{Control>}{Shift>}{Enter}{/Shift}{/Control}';
const SAVE_AND_NEXT = '{Control>}{Enter}{/Control}';
const SKIP = '{Alt>}{ArrowDown}{/Alt}';

/** the cell that selects a row */
const firstCell = (line: HTMLElement) => within(line).getAllByRole('gridcell')[0] ?? line;
const bar = () => screen.findByRole('toolbar', { name: 'Queue' });

it(
  'starts by a key: all that match, or the selected rows in the order of the list',
  { tags: ['long'] },
  async () => {
    const { user, service, history } = await desk.open('?sort=-revisionId');
    const made = () =>
      service.calls.findLast(({ method, url }) => method === 'POST' && url.endsWith('/queues'));
    await row('1');
    expect(screen.getByRole('button', { name: 'Correct these 4' }).title).toContain('Ctrl Shift ↵');
    await user.keyboard(START);
    await form('4');
    expect(made()?.body).toEqual({ filter: 'sort=-revisionId' });

    history.back();
    for (const id of ['2', '4', '1']) {
      await user.click(firstCell(await row(id)));
    }
    await user.keyboard(START);
    await form('4');
    expect(made()?.body).toEqual({ revisionIds: ['4', '2', '1'] });
  },
);

it('does not start from within a question over the list', async () => {
  const { user, writes } = await desk.open();
  await row('1');
  await user.keyboard('{F1}');
  const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(sheet.textContent).toContain('Correct the selected revisions one by one');
  await user.keyboard(START);
  expect(writes()).toEqual([]);
});

it('leads back to its list with every condition, also with several on one field', async () => {
  const contains = 'where[SUPPLIER][like]';
  const filter = new URLSearchParams([
    [contains, 'ller'],
    [contains, 'gmbh'],
  ]);
  const { user, search } = await desk.openQueue(String(filter));
  await form('1');
  await user.click(screen.getByRole('button', { name: 'Exit queue' }));
  await row('1');
  expect(search()).toMatchObject({ [contains]: 'ller', [`${contains}[1]`]: 'gmbh' });
});

it('saves a note that is being typed when a key opens the next revision', async () => {
  const { user } = await desk.openQueue();
  await form('1');
  await user.keyboard('{Control>}{Shift>}l{/Shift}{/Control}');
  await user.keyboard(`Ask the supplier${SKIP}`);
  await form('2');
  await user.keyboard('{Control>}{Shift>}l{/Shift}{/Control}');
  await user.keyboard(`never mind{Escape}${SKIP}`);
  await form('3');
  const flags = `application/archiveapp/archives/${desk.table()}/flags`;
  const anna = await desk.service.signedIn('anna');
  await waitFor(async () => {
    expect((await anna.get(flags)).body).toMatchObject({
      flags: [{ revisionId: '1', note: 'Ask the supplier' }],
    });
  });
  expect((await anna.get(flags)).body).toMatchObject({ flags: { length: 1 } });
});

it('takes all keys right after the shortcut of a flag into its note', async () => {
  await desk.openQueue();
  await waitFor(async () =>
    expect(document.activeElement).toBe(editor(await form('1'), 'Invoice no.')),
  );
  // Without a pause for timers between two keys.
  const fast = userEvent.setup({ delay: null });
  await fast.keyboard('{Control>}{Shift>}l{/Shift}{/Control}Is it paid?{Enter}');
  await form('2');
  const anna = await desk.service.signedIn('anna');
  const flags = `application/archiveapp/archives/${desk.table()}/flags`;
  await waitFor(async () => {
    expect((await anna.get(flags)).body).toMatchObject({ flags: [{ note: 'Is it paid?' }] });
  });
});

it(
  'leaves the cursor in the note that is being typed when the form has loaded',
  { tags: ['long'] },
  async () => {
    let load = () => {};
    const { user } = await desk.openQueue(undefined, (service) => {
      load = service.hold('GET', '/documents/1');
    });
    await bar();
    await user.keyboard('{Control>}{Shift>}l{/Shift}{/Control}');
    await user.keyboard('Is it pa');
    load();
    await form('1');
    await user.keyboard('id?{Enter}');
    await form('2');
    const anna = await desk.service.signedIn('anna');
    const flags = `application/archiveapp/archives/${desk.table()}/flags`;
    await waitFor(async () => {
      expect((await anna.get(flags)).body).toMatchObject({ flags: [{ note: 'Is it paid?' }] });
    });
  },
);

it(
  'counts the flagged ones of the queue at its end, and goes through them',
  { tags: ['long'] },
  async () => {
    const anna = await desk.service.signedIn('anna');
    await anna.put(`${desk.pathOf('3')}/flag`, { note: 'look again' });
    const { user } = await desk.openQueue();
    await form('1');
    for (const next of ['2', '3', '4']) {
      await user.keyboard(SKIP);
      await form(next);
    }
    await user.keyboard(SKIP);
    await waitFor(() => expect(atEnd()).toBe(true));
    expect(await screen.findByText('4 skipped · 1 flagged')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Go to the flagged one' }));
    await form('3');
    expect((await bar()).textContent).toContain('1 of 1');
  },
);

it(
  'says that the skipped ones could not be read, and goes through them when they can',
  { tags: ['long'] },
  async () => {
    const { user, service } = await desk.openQueue();
    await form('1');
    for (const next of ['2', '3', '4']) {
      await user.keyboard(SKIP);
      await form(next);
    }
    await user.keyboard(SKIP);
    const again = await screen.findByRole('button', { name: 'Go through the 4 skipped' });
    const endFailure = service.failReads('/queues/');
    await user.click(again);
    await screen.findByText(/^The queue could not be created\./);
    endFailure();
    await user.click(again);
    await form('1');
    expect((await bar()).textContent).toContain('1 of 4');
  },
);

it('no longer says “not saved” of what one goes to and skips', { tags: ['long'] }, async () => {
  const { user, service } = await desk.openQueue();
  const first = await form('1');
  await user.click(editor(first, 'Supplier'));
  await user.keyboard('mine');
  const answer = service.hold('PATCH');
  await user.keyboard(SAVE_AND_NEXT);
  await form('2');
  await desk.changeElsewhere('1', { SUPPLIER: 'theirs' });
  answer();
  await user.click(await screen.findByRole('button', { name: '1 not saved; go there' }));
  await form('1');
  await user.keyboard(SKIP);
  await form('2');
  expect(screen.queryByRole('button', { name: /not saved/ })).toBeNull();
});

it('stays in the queue when a save is undone and looked at', { tags: ['long'] }, async () => {
  const { user, history } = await desk.openQueue();
  const address = history.location.pathname;
  const first = await form('1');
  await user.click(editor(first, 'Supplier'));
  await user.clear(editor(first, 'Supplier'));
  await user.keyboard(`Maier${SAVE_AND_NEXT}`);
  await form('2');
  await waitFor(async () => expect((await desk.stored('1')).values[1]).toBe('Maier'));
  await user.keyboard('{Control>}z{/Control}');
  await user.click(await screen.findByRole('button', { name: 'Open revision 1' }));
  expect(editor(await form('1'), 'Supplier')).toHaveProperty('value', 'Muller GmbH');
  expect(shownId()).toBe('1');
  expect(history.location.pathname).toBe(address);
  expect((await bar()).textContent).toContain('1 of 4');
  // The place stands in the queue's bar, not once more over the form.
  expect(within(await form('1')).queryByText('1 of 4')).toBeNull();
});

it(
  'offers on the overview to go on in a queue, under the name of the view it was made of',
  { tags: ['long'] },
  async () => {
    const base = `application/archiveapp/archives/${desk.table()}`;
    const anna = await desk.service.signedIn('anna');
    const search = 'where%5BrevisionId%5D%5Blte%5D=2&sort=revisionId';
    await anna.post(`${base}/views`, { name: 'The first two', shared: false, search });
    const archive = await desk.open(`?${search}`);
    await row('1');
    await screen.findByRole('button', { name: /^The first two/ });
    await archive.user.click(screen.getByRole('button', { name: /^Correct these/ }));
    await form('1');
    await archive.user.keyboard(SKIP);
    await form('2');
    archive.unmount();

    const { user } = await renderApp(desk.service.app, '/', {
      as: { username: 'anna', password: PASSWORD },
    });
    await user.click(await screen.findByRole('link', { name: /^Resume: The first two: 2 of 2/ }));
    await form('2');
    await user.keyboard(SKIP);
    await waitFor(() => expect(atEnd()).toBe(true));
    await user.click(screen.getByRole('link', { name: 'Indexdesk' }));
    await screen.findByRole('heading', { name: 'Overview', level: 1 });
    await waitFor(() =>
      expect(screen.queryByRole('link', { name: /^Resume: The first two/ })).toBeNull(),
    );
  },
);

it('offers all queues that one can go on with', { tags: ['long'] }, async () => {
  const anna = await desk.service.signedIn('anna');
  const path = `application/archiveapp/archives/${desk.table()}/queues`;
  for (let k = 1; k <= 12; k++) {
    // The list is in the order in which they were made.
    await anna.post(path, { name: `Heap ${k}`, revisionIds: ['3', '1'] });
  }
  const { user } = await desk.open();
  await row('1');
  await user.click(screen.getByRole('button', { name: 'Queues and flags' }));
  await screen.findByRole('menuitem', { name: /^Heap 12:/, hidden: true });
  const items = screen.getAllByRole('menuitem', { name: /^Heap /, hidden: true });
  expect(items).toHaveLength(12);
  // By keys, to the one that was used longest ago.
  await user.keyboard('{ArrowDown}'.repeat(12));
  expect(document.activeElement).toBe(items[11]);
  await user.keyboard('{Enter}');
  await form('3');
});

it(
  'no longer lists what somebody has deleted, once that was said in the queue',
  { tags: ['long'] },
  async () => {
    const { user } = await desk.open('?sort=revisionId');
    await row('2');
    await user.keyboard(START);
    await form('1');
    expect((await desk.root.delete(desk.pathOf('2'))).status).toBe(204);
    await user.keyboard(SKIP);
    await form('3');
    await user.click(screen.getByRole('button', { name: 'Exit queue' }));
    await row('1');
    await waitFor(async () => expect(await shownIds()).toEqual(['1', '3', '4']));
  },
);

it(
  'resumes at the same place when the user leaves the queue and returns at once',
  { tags: ['long'] },
  async () => {
    const { user, history } = await desk.openQueue('where%5BAMOUNT%5D%5Bgt%5D=0&sort=revisionId');
    const first = await form('1');
    // The cursor begins in the field that the queue was filtered by.
    await waitFor(() => expect(document.activeElement).toBe(editor(first, 'Amount')));
    await user.click(editor(first, 'Supplier'));
    await user.keyboard(SKIP);
    await form('2');
    await user.click(screen.getByRole('link', { name: 'Indexdesk' }));
    await screen.findByRole('heading', { name: 'Overview', level: 1 });
    history.back();
    const second = await form('2');
    expect((await bar()).textContent).toContain('2 of 3');
    await waitFor(() => expect(document.activeElement).toBe(editor(second, 'Supplier')));
  },
);

it('lists revisions that were passed with unsaved changes, and opens them', async () => {
  const { user } = await desk.openQueue();
  await user.type(editor(await form('1'), 'Supplier'), '!');
  await user.keyboard(SKIP);
  await form('2');
  await user.click(
    await screen.findByRole('button', { name: '1 passed with unsaved changes; go there' }),
  );
  expect(editor(await form('1'), 'Supplier')).toHaveProperty('value', 'Muller GmbH!');
  expect(screen.queryByRole('button', { name: /unsaved changes; go there/ })).toBeNull();
});

it('has what was undone as still to be done', { tags: ['long'] }, async () => {
  const { user, kept } = await desk.openQueue();
  await user.type(editor(await form('1'), 'Supplier'), '!');
  await user.keyboard(SAVE_AND_NEXT);
  await form('2');
  await waitFor(async () => expect((await bar()).textContent).toContain('1 corrected'));
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(async () => expect((await bar()).textContent).not.toContain('1 corrected'));
  await waitFor(async () => expect((await kept())?.counts.corrected).toBe(0));
  await user.keyboard('{Control>}y{/Control}');
  await waitFor(async () => expect((await bar()).textContent).toContain('1 corrected'));
});

it(
  'a note that is opened before the flags are loaded keeps the stored note',
  { tags: ['long'] },
  async () => {
    const anna = await desk.service.signedIn('anna');
    const base = `application/archiveapp/archives/${desk.table()}`;
    await anna.put(`${base}/documents/1/flag`, { note: 'Ask the supplier' });
    const held = Promise.withResolvers<() => void>();
    const { user } = await desk.openQueue('sort=revisionId', (service) =>
      held.resolve(service.hold('GET', '/flags')),
    );
    await form('1');
    await user.keyboard('{Control>}{Shift>}l{/Shift}{/Control}');
    const dialog = await screen.findByRole('dialog', { name: /flag/i });
    (await held.promise)();
    await waitFor(() =>
      expect(within(dialog).getByRole('textbox')).toHaveProperty('value', 'Ask the supplier'),
    );
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await form('2');
    expect(await anna.get(`${base}/flags`)).toMatchObject({
      body: { flags: [{ note: 'Ask the supplier' }] },
    });
  },
);

it.each(
  sampled(1, [
    ['when the flags are loaded', true],
    ['when the clerk has moved on before the flags are loaded', false],
  ]),
)('keeps the stored note before what is typed, %s', async (_when, isLoaded) => {
  const anna = await desk.service.signedIn('anna');
  const base = `application/archiveapp/archives/${desk.table()}`;
  await anna.put(`${base}/documents/1/flag`, { note: 'Ask the supplier' });
  let readOn = () => {};
  const { user } = await desk.openQueue('sort=revisionId', (service) => {
    readOn = service.hold('GET', '/flags');
  });
  await form('1');
  await user.keyboard('{Control>}{Shift>}l{/Shift}{/Control}');
  const note = within(await screen.findByRole('dialog', { name: /flag/i })).getByRole('textbox');
  await user.keyboard('by mail');
  if (isLoaded) {
    readOn();
    await waitFor(() => expect(note).toHaveProperty('value', 'Ask the supplier\nby mail'));
    await user.keyboard(', today');
  }
  await user.keyboard(SKIP);
  await form('2');
  readOn();
  await waitFor(async () => {
    expect((await anna.get(`${base}/flags`)).body).toMatchObject({
      flags: [{ note: `Ask the supplier\nby mail${isLoaded ? ', today' : ''}` }],
    });
  });
});
