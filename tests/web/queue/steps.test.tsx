/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { activeRequests } from '#web/api/request.ts';
import { sampled } from '#tests/support/effort.ts';
import { editor, form } from '../archive/desk.tsx';
import { atEnd, openQueueDesk, shownId } from './desk.tsx';

const desk = await openQueueDesk();

it('takes what is typed right after save and next into the next revision, however slow the answer', async () => {
  const { user, service } = await desk.openQueue();
  const first = await form('1');
  await user.click(editor(first, 'Supplier'));
  await user.clear(editor(first, 'Supplier'));
  const answer = service.hold('PATCH');
  await user.keyboard('Maier{Control>}{Enter}{/Control}');
  await user.keyboard('Schulze');
  answer();
  await form('2');
  await waitFor(async () => expect((await desk.stored('1')).values[1]).toBe('Maier'));
  expect(editor(await form('2'), 'Supplier')).toHaveProperty('value', 'Schulze');
});

it(
  'stays at the revision of the clerk when the answer of an earlier save comes',
  { tags: ['long'] },
  async () => {
    const { user, service } = await desk.openQueue();
    const first = await form('1');
    await user.click(editor(first, 'Supplier'));
    await user.keyboard('x');
    const answer = service.hold('PATCH');
    await user.keyboard('{Control>}{Enter}{/Control}');
    while (shownId() !== '3') {
      const before = shownId();
      await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      await waitFor(() => expect(shownId()).not.toBe(before));
      await form(shownId() ?? '');
    }
    answer();
    await waitFor(async () => expect((await desk.stored('1')).values[1]).toBe('Muller GmbHx'));
    await waitFor(() => expect(activeRequests.get()).toBe(0));
    expect(shownId()).toBe('3');
  },
);

it('keeps nothing of the forms that it has left', async () => {
  const { user, queryClient } = await desk.openQueue();
  for (const id of ['1', '2']) {
    await user.click(editor(await form(id), 'Supplier'));
    await user.keyboard('x{Control>}{Enter}{/Control}');
  }
  await form('3');
  // Saves hold the form that has sent them.
  const saves = (id: string) =>
    queryClient.getMutationCache().findAll({ mutationKey: archiveKeys.revision(desk.table(), id) });
  await waitFor(() => expect([...saves('1'), ...saves('2')]).toEqual([]));
  expect((await desk.stored('2')).values[1]).toMatch(/x$/);
});

it('says that a save left behind met the change of another', async () => {
  const { user, service, kept } = await desk.openQueue();
  const first = await form('1');
  await user.click(editor(first, 'Supplier'));
  await user.keyboard('mine');
  const answer = service.hold('PATCH');
  await user.keyboard('{Control>}{Enter}{/Control}');
  if (shownId() === '1') await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await form('2');
  await desk.changeElsewhere('1', { SUPPLIER: 'theirs' });
  answer();
  await screen.findByText(/Revision 1 is not saved/);
  expect((await desk.stored('1')).values[1]).toBe('theirs');
  await waitFor(async () => expect((await kept())?.counts.corrected).toBe(0));
});

it('counts as saved what another set to the same value meanwhile', { tags: ['long'] }, async () => {
  const { user, service, kept } = await desk.openQueue();
  const first = await form('1');
  await user.click(editor(first, 'Supplier'));
  await user.clear(editor(first, 'Supplier'));
  const answer = service.hold('PATCH');
  await user.keyboard('Maier{Control>}{Enter}{/Control}');
  await desk.changeElsewhere('1', { SUPPLIER: 'Maier' });
  answer();
  await form('2');
  await waitFor(async () => expect((await kept())?.position).toBe(1));
  await waitFor(() => expect(activeRequests.get()).toBe(0));
  expect((await kept())?.counts).toEqual({ corrected: 1, unchanged: 0, skipped: 0, gone: 0 });
  expect(screen.queryByRole('button', { name: /not saved/ })).toBeNull();
});

it(
  'counts as corrected what was saved without opening the next, whichever way the next is opened',
  { tags: ['long'] },
  async () => {
    const { user, kept } = await desk.openQueue();
    const first = await form('1');
    await user.click(editor(first, 'Supplier'));
    await user.keyboard('x{Control>}s{/Control}');
    await waitFor(async () => expect((await kept())?.counts.corrected).toBe(1));
    await user.keyboard('{Control>}{Enter}{/Control}');
    await form('2');
    // Each place is told with what was done there, so the counts are those after the step that is awaited.
    const counts = { corrected: 1, unchanged: 0, skipped: 0, gone: 0 };
    await waitFor(async () => expect(await kept()).toMatchObject({ position: 1, counts }));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await form('1');
    await waitFor(async () => expect(await kept()).toMatchObject({ position: 0, counts }));
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await form('2');
    await waitFor(async () => expect((await kept())?.position).toBe(1));
    expect((await kept())?.counts).toEqual(counts);
  },
);

it.each(
  sampled(1, [
    { changed: 'another of its fields', id: '1' },
    { changed: 'nothing', id: '4' },
  ]),
)(
  'keeps what was typed into a revision again while it was being saved, and somebody else changed $changed',
  async ({ id }) => {
    const { user, service } = await desk.openQueue();
    await user.type(editor(await form('1'), 'Supplier'), 'x');
    const answer = service.hold('PATCH');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await form('2');
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await user.type(editor(await form('1'), 'Due'), '{Control>}a{/Control}2026-03-01');
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await form('2');
    await desk.changeElsewhere(id, { PAID: false });
    answer();
    await waitFor(async () => expect((await desk.stored('1')).values[1]).toBe('Muller GmbHx'));
    await waitFor(() => expect(activeRequests.get()).toBe(0));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    const again = await form('1');
    expect(editor(again, 'Supplier')).toHaveProperty('value', 'Muller GmbHx');
    expect(editor(again, 'Due')).toHaveProperty('value', '2026-03-01');
    expect(within(again).getByText('1 field changed')).toBeTruthy();
  },
);

it(
  'keeps nothing waiting for a revision that was deleted while it was being saved',
  { tags: ['long'] },
  async () => {
    const { user, service, kept } = await desk.openQueue();
    const first = await form('1');
    await user.click(editor(first, 'Supplier'));
    const answer = service.hold('PATCH');
    await user.keyboard('x{Control>}{Enter}{/Control}');
    expect((await desk.root.delete(desk.pathOf('1'))).status).toBe(204);
    answer();
    // What could not be saved is shown where it was typed, until the clerk goes on from there.
    await user.click(await screen.findByRole('button', { name: '1 not saved; go there' }));
    await waitFor(() => expect(shownId()).toBe('1'));
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await form('2');
    expect(screen.queryByRole('button', { name: /not saved/ })).toBeNull();
    for (const next of ['3', '4']) {
      await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      await form(next);
    }
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await waitFor(() => expect(atEnd()).toBe(true));
    await waitFor(async () => expect((await kept())?.position).toBe(4));
    expect((await kept())?.counts).toEqual({ corrected: 0, unchanged: 0, skipped: 3, gone: 1 });
    expect(screen.queryByRole('button', { name: /not saved/ })).toBeNull();
  },
);

it(
  'counts as corrected what was changed, not what was only looked at',
  { tags: ['long'] },
  async () => {
    const { user, kept } = await desk.openQueue();
    await form('1');
    await user.keyboard('{Control>}{Enter}{/Control}');
    const second = await form('2');
    await user.click(editor(second, 'Supplier'));
    await user.keyboard('x{Control>}{Enter}{/Control}');
    await form('3');
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await form('4');
    expect(await screen.findByText('1 corrected · 1 unchanged · 1 skipped')).toBeTruthy();
    // Come back to and left again, each stays what it was.
    for (const id of ['3', '2', '1']) {
      await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
      await form(id);
    }
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await form('2');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await form('3');
    await waitFor(async () => {
      expect(await kept()).toMatchObject({
        position: 2,
        counts: { corrected: 1, unchanged: 1, skipped: 1, gone: 0 },
      });
    });
  },
);

it('counts what was corrected or left unchanged as that when it is skipped later', async () => {
  const { user, kept } = await desk.openQueue();
  await user.click(editor(await form('1'), 'Supplier'));
  await user.keyboard('x{Control>}{Enter}{/Control}');
  await form('2');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await form('3');
  const counts = { corrected: 1, unchanged: 1, skipped: 0, gone: 0 };
  await waitFor(async () => expect(await kept()).toMatchObject({ position: 2, counts }));
  for (const id of ['2', '1']) {
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await form(id);
  }
  await waitFor(async () => expect((await kept())?.position).toBe(0));
  for (const id of ['2', '3']) {
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await form(id);
  }
  await waitFor(async () => expect((await kept())?.position).toBe(2));
  expect((await kept())?.counts).toEqual(counts);
});
