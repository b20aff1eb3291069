/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { openDB } from 'idb';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type StoredEdits, writeEdits } from '#web/features/data-grid/edit-store/edit-database.ts';
import { NO_EDITS } from '#web/features/data-grid/edit-store/edits.ts';
import { typeText } from './type-text.ts';
import { NO_STEPS } from '#web/features/data-grid/edit-store/steps.ts';
import { cipherOf } from '#tests/support/user-cipher.ts';
import { buildColumn } from './columns.ts';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();
const NAME = buildColumn('name', { required: true });
const PIECES = buildColumn('pieces', { type: 'integer' });
const CODE = buildColumn('code', { required: true });

/** The name that this tab had before it was loaded again. */
const BEFORE_RELOAD = 'before-reload';
beforeEach(() => sessionStorage.setItem('indexdesk-tab-names', BEFORE_RELOAD));
afterEach(() => sessionStorage.clear());

/** Opens a table in which another tab has stored edits. @param tab the name of that one */
async function openAfter(left: (jrid: string) => StoredEdits, tab = 'closed') {
  return grids.open({
    before: async ({ username, guid, jrids }) => {
      const cipher = cipherOf(await grids.signedIn(username));
      const location = { username, guid: guid.toLowerCase(), tab };
      await writeEdits(location, left(jrids[0] ?? ''), cipher);
    },
  });
}

/** Holds the Web Lock of a tab, as its page does until it is closed. */
function liveTab(): { readonly name: string; readonly close: () => void } {
  const name = `tab-${Math.random()}`;
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(`indexdesk-desk-${name}`, () => promise);
  onTestFinished(() => resolve());
  return { name, close: resolve };
}

test('what a closed tab had not sent is sent by the next one', async () => {
  const { text, stored } = await openAfter((jrid) => {
    const edits = typeText(NO_EDITS, jrid, NAME, 'Screw', { initialValue: 'Bolt', stored: 'Bolt' });
    return { edits, steps: NO_STEPS };
  });
  await waitFor(() => expect(text(0, COL.name)).toBe('Screw'));
  await waitFor(async () => expect((await stored())[0]).toMatchObject({ name: 'Screw' }));
  expect(await screen.findByText(/1 unsaved entry/)).toBeTruthy();
});

test('what could not be read is there again as typed; what others changed is shown as theirs', async () => {
  const { cell, text, stored } = await openAfter((jrid) => {
    let edits = typeText(NO_EDITS, jrid, PIECES, 'five', { initialValue: 5, stored: 5 });
    // The name was something else when it was typed over.
    edits = typeText(edits, jrid, NAME, 'Screw', { initialValue: 'Peg', stored: 'Peg' });
    return { edits, steps: NO_STEPS };
  });
  await waitFor(() => expect(text(0, COL.pieces)).toContain('five'));
  await waitFor(() => expect(cell(0, COL.name).dataset['status']).toBe('conflict'));
  expect((await stored())[0]).toMatchObject({ name: 'Bolt', pieces: 5 });
});

test('a row that was being created when the tab was closed is created once', async () => {
  const { stored } = await openAfter(() => {
    const typed = typeText(NO_EDITS, 'new:1', CODE, 'N-9', { initialValue: null, stored: null });
    const edits = typeText(typed, 'new:1', NAME, 'Nine', { initialValue: null, stored: null });
    const newRows = edits.newRows.map((row) => ({ ...row, is: 'sending' as const, once: 'k-9' }));
    return { edits: { ...edits, newRows }, steps: NO_STEPS };
  });
  await waitFor(async () => expect((await stored())[3]).toMatchObject({ code: 'N-9' }));
  expect(await stored()).toHaveLength(4);
});

test('a reload keeps the steps that can be undone', { tags: ['long'] }, async () => {
  const { user, focus, text, stored } = await openAfter((jrid) => {
    const cell = { jrid, column: 'name', before: { value: 'Peg' }, after: { value: 'Bolt' } };
    const step = { label: 'typing', cells: [cell], created: [], bulkEditId: null };
    return { edits: NO_EDITS, steps: { done: [step], undone: [] } };
  }, BEFORE_RELOAD);
  await focus(0, COL.name);
  await screen.findByRole('button', { name: /^Undo: typing/ });
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(text(0, COL.name)).toBe('Peg'));
  await waitFor(async () => expect((await stored())[0]).toMatchObject({ name: 'Peg' }));
});

test('edits of a closed tab are one step of undo; its own steps are lost', async () => {
  const { user, focus, text, stored } = await openAfter((jrid) => {
    const cell = { jrid, column: 'pieces', before: { value: 4 }, after: { value: 5 } };
    const step = { label: 'typing', cells: [cell], created: [], bulkEditId: null };
    const edits = typeText(NO_EDITS, jrid, NAME, 'Screw', { initialValue: 'Bolt', stored: 'Bolt' });
    return { edits, steps: { done: [step], undone: [] } };
  });
  await waitFor(async () => expect((await stored())[0]).toMatchObject({ name: 'Screw' }));
  await focus(0, COL.name);
  const undo = await screen.findByRole('button', { name: /^Undo: entries of a closed tab/ });
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(text(0, COL.name)).toBe('Bolt'));
  await waitFor(async () => expect((await stored())[0]).toMatchObject({ name: 'Bolt', pieces: 5 }));
  await waitFor(() => expect(undo.getAttribute('aria-label')).toBe('Undo'));
});

test('edits of a tab that is still open stay there, until it is closed', async () => {
  const tab = liveTab();
  const opened = await openAfter((jrid) => {
    const edits = typeText(NO_EDITS, jrid, NAME, 'Screw', { initialValue: 'Bolt', stored: 'Bolt' });
    return { edits, steps: NO_STEPS };
  }, tab.name);
  const { navigate, guid, typeInto, stored, foot } = opened;
  await typeInto(1, COL.name, 'Washer{Enter}');
  await foot().findByText('Saved');
  expect(await stored()).toMatchObject([{ name: 'Bolt' }, { name: 'Washer' }, {}]);
  tab.close();
  await navigate({ to: '/' });
  await screen.findByRole('heading', { level: 1, name: 'Overview' });
  await navigate({ to: '/tables/$guid', params: { guid } });
  await waitFor(async () => {
    expect(await stored()).toMatchObject([{ name: 'Screw' }, { name: 'Washer' }, {}]);
  });
});

test('of two edits of one cell the one that was typed last is sent; the other is a step back', async () => {
  const earlier = liveTab();
  const { navigate, guid, typeInto, stored, service, user } = await openAfter((jrid) => {
    const edits = typeText(NO_EDITS, jrid, PIECES, '7', { initialValue: 5, stored: 5 });
    return { edits, steps: NO_STEPS };
  }, earlier.name);
  const sendOn = service.hold('PUT');
  await typeInto(0, COL.pieces, '9{Enter}');
  earlier.close();
  await navigate({ to: '/' });
  await screen.findByRole('heading', { level: 1, name: 'Overview' });
  await navigate({ to: '/tables/$guid', params: { guid } });
  await screen.findByText(/^1 unsaved entry/);
  sendOn();
  await waitFor(async () => expect((await stored())[0]).toMatchObject({ pieces: 9 }));
  await user.click(await screen.findByRole('button', { name: /^Undo: entries of a closed tab/ }));
  await waitFor(async () => expect((await stored())[0]).toMatchObject({ pieces: 7 }));
});

test('edits that version 0.2 has stored in parts are sent, also rows of two tabs with the same key', async () => {
  const rowOf = (code: string) => {
    let edits = typeText(NO_EDITS, 'new:1', CODE, code, { initialValue: null, stored: null });
    edits = typeText(edits, 'new:1', NAME, code, { initialValue: null, stored: null });
    return edits;
  };
  const { stored } = await grids.open({
    before: async ({ username, guid, jrids }) => {
      const cipher = cipherOf(await grids.signedIn(username));
      for (const [tab, code] of [
        ['one', 'N-1'],
        ['two', 'N-2'],
      ] as const) {
        const location = { username, guid: guid.toLowerCase(), tab };
        await writeEdits(location, { edits: NO_EDITS, steps: NO_STEPS }, cipher);
        const { newRows } = rowOf(code);
        const edited = typeText(NO_EDITS, jrids[0] ?? '', NAME, 'Screw', {
          initialValue: 'Bolt',
          stored: 'Bolt',
        });
        const records = await cipher.encrypt(username, { records: edited.records, newRows: [] });
        const rows = await cipher.encrypt(username, { records: new Map(), newRows });
        const database = await openDB('indexdesk-encrypted-grid', 1);
        await database.put('bundles', { ...location, bundle: 1, edits: records });
        await database.put('bundles', { ...location, bundle: 256, edits: rows });
        database.close();
      }
    },
  });
  await waitFor(async () => {
    const now = await stored();
    expect(now[0]).toMatchObject({ name: 'Screw' });
    expect(now.slice(3).map(({ code }) => code)).toEqual(['N-1', 'N-2']);
  });
});

test(
  'however many cannot be saved, all of them are listed, page by page',
  { tags: ['long'] },
  async () => {
    const COUNT = 450;
    const { user, stored } = await openAfter(() => {
      let edits = NO_EDITS;
      for (let i = 1; i <= COUNT; i++) {
        edits = typeText(edits, `new:${i}`, PIECES, `x${i}`, { initialValue: null, stored: null });
      }
      return { edits, steps: NO_STEPS };
    });
    const lines = () =>
      within(screen.getByRole('region', { name: 'Not saved' })).getAllByRole('listitem');
    await user.click(await screen.findByRole('button', { name: 'Not saved' }));
    // In each of them two columns that are required are missing too.
    expect(await screen.findByText(/1–200 of 1,350/)).toBeTruthy();
    expect(lines()).toHaveLength(200);
    const after = screen.getByRole('button', { name: 'Next entries' });
    for (let page = 1; page < 7; page++) await user.click(after);
    expect(screen.getByText(/1,201–1,350 of 1,350/)).toBeTruthy();
    expect(lines()).toHaveLength(150);
    expect(after).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: 'Discard all' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Not saved' })).toBeNull());
    expect(await stored()).toHaveLength(3);
  },
);

test('closing the tab asks nothing once the browser has stored what is unsaved', async () => {
  const { service, typeInto, foot } = await grids.open();
  const sendOn = service.hold('PUT');
  await typeInto(0, COL.name, 'Screw{Enter}');
  await waitFor(() => {
    const closing = new Event('beforeunload', { cancelable: true });
    dispatchEvent(closing);
    expect(closing.defaultPrevented).toBe(false);
  });
  sendOn();
  await foot().findByText('Saved');
});

test('a browser that cannot store what is unsaved says so, until it is saved', async () => {
  const { service, typeInto, text } = await grids.open();
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The storage is full.', 'QuotaExceededError');
  });
  onTestFinished(() => full.mockRestore());
  const sendOn = service.hold('PUT');
  await typeInto(0, COL.name, 'Screw{Enter}');
  // Beside it a notice says so once, and stays for a while.
  const alert = /^This browser cannot store what is not saved/;
  expect((await screen.findByText(alert)).role).toBe('alert');
  const closing = new Event('beforeunload', { cancelable: true });
  dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
  sendOn();
  await waitFor(() => expect(screen.queryByText(alert)).toBeNull());
  expect(text(0, COL.name)).toBe('Screw');
});
