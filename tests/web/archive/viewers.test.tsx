/** @module-tag slow */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { draftStorage } from '#web/features/index-form/draft-storage.ts';
import { viewersAnswer } from '#shared/contract/workspace-answers.ts';
import { presenceText } from '#web/presence/presence-note.tsx';
import { editor, form, openDesk } from './desk.tsx';

const desk = await openDesk();

const seen = async (id: string) => {
  const { body } = await desk.root.put(`${desk.pathOf(id)}/viewers`, { editing: false });
  return viewersAnswer.parse(body).viewers.map(({ username, editing }) => ({ username, editing }));
};

describe('who else has a revision open', () => {
  it('is reported to others on opening, when editing begins and when it is closed', async () => {
    const { user } = await desk.open('?selected=1');
    const open = await form('1');
    await waitFor(async () =>
      expect(await seen('1')).toEqual([{ username: 'anna', editing: false }]),
    );
    await user.type(editor(open, 'Supplier'), '!');
    await waitFor(async () =>
      expect(await seen('1')).toEqual([{ username: 'anna', editing: true }]),
    );
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await form('2');
    await waitFor(async () => expect(await seen('1')).toEqual([]));
    await waitFor(async () =>
      expect(await seen('2')).toEqual([{ username: 'anna', editing: false }]),
    );
  });

  it('is shown, and announced to screen readers', { tags: ['long'] }, async () => {
    await desk.root.put(`${desk.pathOf('1')}/viewers`, { editing: true });
    const { user } = await desk.open('?selected=1');
    const open = await form('1');
    const words = await within(open).findByText(/ is editing this\.$/);
    expect(words.closest('[aria-live="polite"]')).toBeTruthy();
    await desk.root.put(`${desk.pathOf('1')}/viewers`, { editing: false });
    // What is typed asks anew.
    await user.type(editor(open, 'Supplier'), '!');
    await within(open).findByText(/ has this open\.$/);
  });

  it('is not reported by users who only step over it', { tags: ['long'] }, async () => {
    const { user, service } = await desk.open('?selected=1');
    await form('1');
    await waitFor(() =>
      expect(service.calls.some(({ url }) => url.includes('/viewers?'))).toBe(true),
    );
    await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}');
    await form('3');
    await waitFor(async () => expect(await seen('3')).toHaveLength(1));
    expect(service.calls.filter(({ url }) => url.includes('/2/viewers?'))).toEqual([]);
  });

  it('is said in whole sentences', () => {
    const one = (displayName: string, editing: boolean) => ({
      username: displayName.toLowerCase(),
      displayName,
      since: '2026-01-01T00:00:00.000Z',
      editing,
    });
    const nameOf = (username: string) => username.replace(/^./, (first) => first.toUpperCase());
    expect(presenceText([], nameOf)).toBe('');
    const viewers = [one('Ben', true), one('Cleo', false), one('Dan', false)];
    expect(presenceText(viewers, nameOf)).toBe('Ben is editing this. Cleo, Dan have this open.');
  });
});

describe('what was typed where it cannot be saved any more', () => {
  const copied = 'Supplier: Muller GmbH!\nNote: new\nSUBJECT: paper; ink, black; glue';
  const typeThere = async (
    open: HTMLElement,
    user: Awaited<ReturnType<typeof desk.open>>['user'],
  ) => {
    await user.type(editor(open, 'Supplier'), '!');
    await user.clear(editor(open, 'Note'));
    await user.type(editor(open, 'Note'), 'new');
    await user.type(editor(open, 'SUBJECT'), 'glue{Enter}');
  };

  it(
    'is copied as text when the revision is deleted, also when it is opened again',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      const open = await form('1');
      await typeThere(open, user);
      await desk.root.delete(desk.pathOf('1'));
      await user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('This revision was not found');
      await user.click(within(open).getByRole('button', { name: 'Copy what you typed' }));
      await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(copied));
      await navigator.clipboard.writeText('');
      // On another day, from the disk.
      await waitFor(async () => {
        const [draft] = await draftStorage().read('anna', desk.table());
        expect(draft?.edits.size).toBe(3);
      });
      cleanup();
      const next = await desk.open('?selected=1');
      const again = await screen.findByRole('region', { name: 'Form of revision 1' });
      await next.user.click(
        await within(again).findByRole('button', { name: 'Copy what you typed' }),
      );
      await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(copied));
    },
  );

  it('is there by hand where the browser gives no clipboard', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1', await desk.userWith('write'));
    const open = await form('1');
    await typeThere(open, user);
    await desk.root.patch(desk.pathOf('1'), { locked: true });
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText(/^Locked by root since/);
    const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(refuse);
    await user.click(within(open).getByRole('button', { name: 'Copy what you typed' }));
    expect(await within(open).findByLabelText('What you typed')).toHaveProperty('value', copied);
  });
});
