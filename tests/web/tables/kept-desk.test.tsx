import { screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { editStorage, type StoredEdits } from '#web/features/data-grid/edit-store/edit-storage.ts';
import { NO_EDITS, type } from '#web/features/data-grid/edit-store/edits.ts';
import { NO_STEPS } from '#web/features/data-grid/undo/steps.ts';
import { cipherOf } from '#tests/support/user-cipher.ts';
import { buildColumn } from './columns.ts';
import { COL, openGrids } from './grid-desk.tsx';

const grids = await openGrids();
const NAME = buildColumn('name', { required: true });
const PIECES = buildColumn('pieces', { type: 'integer' });
const CODE = buildColumn('code', { required: true });

/** Opens a table over which a tab that is no more has left something. */
async function openAfter(left: (jrid: string) => StoredEdits) {
  return grids.open({
    before: async ({ username, guid, jrids }) => {
      const cipher = cipherOf(await grids.signedIn(username));
      const disk = editStorage(`tab-${Math.random()}`, cipher);
      await disk.write(username, guid.toLowerCase(), left(jrids[0] ?? ''));
      await disk.leave();
    },
  });
}

test('what a closed tab had not sent is sent by the next one', async () => {
  const { text, stored } = await openAfter((jrid) => {
    const edits = type(NO_EDITS, jrid, NAME, 'Screw', { seen: 'Bolt', stored: 'Bolt' });
    return { edits, steps: NO_STEPS };
  });
  await waitFor(() => expect(text(0, COL.name)).toBe('Screw'));
  await waitFor(async () => expect((await stored())[0]).toMatchObject({ name: 'Screw' }));
  expect(await screen.findByText(/1 entry that had not been saved/)).toBeTruthy();
});

test('what could not be read is there again as typed; what others changed is shown as theirs', async () => {
  const { cell, text, stored } = await openAfter((jrid) => {
    let edits = type(NO_EDITS, jrid, PIECES, 'five', { seen: 5, stored: 5 });
    // The name was something else when it was typed over.
    edits = type(edits, jrid, NAME, 'Screw', { seen: 'Peg', stored: 'Peg' });
    return { edits, steps: NO_STEPS };
  });
  await waitFor(() => expect(text(0, COL.pieces)).toContain('five'));
  await waitFor(() => expect(cell(0, COL.name).dataset['status']).toBe('conflict'));
  expect((await stored())[0]).toMatchObject({ name: 'Bolt', pieces: 5 });
});

test('a row that was being created when the tab was closed is created once', async () => {
  const { stored } = await openAfter(() => {
    const typed = type(NO_EDITS, 'new:1', CODE, 'N-9', { seen: null, stored: null });
    const edits = type(typed, 'new:1', NAME, 'Nine', { seen: null, stored: null });
    const newRows = edits.newRows.map((row) => ({ ...row, is: 'sending' as const, once: 'k-9' }));
    return { edits: { ...edits, newRows }, steps: NO_STEPS };
  });
  await waitFor(async () => expect((await stored())[3]).toMatchObject({ code: 'N-9' }));
  expect(await stored()).toHaveLength(4);
});

test('a reload keeps the steps that can be undone', async () => {
  const { user, focus, text, stored } = await openAfter((jrid) => {
    const cell = { jrid, column: 'name', before: { value: 'Peg' }, after: { value: 'Bolt' } };
    const step = { label: 'typing', cells: [cell], created: [], bulkEditId: null };
    return { edits: NO_EDITS, steps: { done: [step], undone: [] } };
  });
  await focus(0, COL.name);
  await screen.findByRole('button', { name: /^Undo: typing/ });
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(text(0, COL.name)).toBe('Peg'));
  await waitFor(async () => expect((await stored())[0]).toMatchObject({ name: 'Peg' }));
});

test('however many cannot be saved, all of them stand in the list, page by page', async () => {
  const COUNT = 450;
  const { user, stored } = await openAfter(() => {
    let edits = NO_EDITS;
    for (let i = 1; i <= COUNT; i++) {
      edits = type(edits, `new:${i}`, PIECES, `x${i}`, { seen: null, stored: null });
    }
    return { edits, steps: NO_STEPS };
  });
  const lines = () =>
    within(screen.getByRole('region', { name: 'Not saved' })).getAllByRole('listitem');
  await user.click(await screen.findByRole('button', { name: 'Not saved' }));
  // In each of them two columns that are required are missing too.
  expect(await screen.findByText(/1–200 of 1,350/)).toBeTruthy();
  expect(lines()).toHaveLength(200);
  const after = screen.getByRole('button', { name: 'Those after' });
  for (let page = 1; page < 7; page++) await user.click(after);
  expect(screen.getByText(/1,201–1,350 of 1,350/)).toBeTruthy();
  expect(lines()).toHaveLength(150);
  expect(after).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('button', { name: 'Discard all' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Not saved' })).toBeNull());
  expect(await stored()).toHaveLength(3);
});

test('a browser that cannot store what is unsaved says so, until it is saved', async () => {
  const { service, typeInto, text } = await grids.open();
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The storage is full.', 'QuotaExceededError');
  });
  onTestFinished(() => full.mockRestore());
  const sendOn = service.hold('PUT');
  await typeInto(0, COL.name, 'Screw{Enter}');
  expect((await screen.findByText(/^This browser cannot store what is not saved/)).role).toBe(
    'alert',
  );
  const closing = new Event('beforeunload', { cancelable: true });
  dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
  sendOn();
  await waitFor(() => expect(screen.queryByText(/^This browser cannot store/)).toBeNull());
  expect(text(0, COL.name)).toBe('Screw');
});
