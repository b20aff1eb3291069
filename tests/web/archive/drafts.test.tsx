/** @module-tag slow */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DraftVersion, StoredDraft } from '#web/features/index-form/draft-storage.ts';
import { draftStorage } from '#web/features/index-form/draft-storage.ts';
import { createDrafts } from '#web/features/index-form/drafts.ts';
import { localCipher } from '#tests/support/user-cipher.ts';
import { editor, form, openDesk } from './desk.tsx';

const desk = await openDesk();

const onDisk = () => draftStorage().read('anna', desk.table());
const drafted = (count: number) => waitFor(async () => expect(await onDisk()).toHaveLength(count));
/** Waits until the supplier is stored as it is typed; what is typed slowly is stored in parts. */
const stored = (supplier: string) =>
  waitFor(async () =>
    expect((await onDisk()).map(({ edits }) => edits.get('indexFields.SUPPLIER'))).toEqual([
      supplier,
    ]),
  );

// Each test begins without drafts, so that `drafted(1)` waits for its own one. A tab that closes before its draft is
// stored could not encrypt it after another user has signed in, and would hold the window from then on.
afterEach(async () => {
  vi.restoreAllMocks();
  cleanup();
  const outdated = (await onDisk()).map(({ username, archive, revisionId, tab, at }) => ({
    key: [username, archive, revisionId, tab] satisfies DraftVersion['key'],
    at,
  }));
  await draftStorage().write([], outdated);
});

describe('unsaved changes on the disk', () => {
  it(
    'are stored while one types and come back when the page is opened again',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      await user.type(editor(await form('1'), 'Supplier'), ' & Co');
      await stored('Muller GmbH & Co');
      cleanup();
      await desk.open();
      expect(await screen.findByRole('button', { name: '1 unsaved' })).toBeTruthy();
      cleanup();
      const again = await desk.open('?selected=1');
      const open = await form('1');
      expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH & Co');
      await again.user.click(within(open).getByRole('button', { name: /^Save changes/ }));
      await within(open).findByText('Nothing changed');
      expect(again.writes()[0]).toMatchObject({ headers: { 'if-match': '"1"' } });
      await drafted(0);
    },
  );

  it('come into a form that was opened before the disk had answered', async () => {
    const { user } = await desk.open('?selected=1');
    await user.type(editor(await form('1'), 'Supplier'), ' & Co');
    await stored('Muller GmbH & Co');
    cleanup();
    const answer = Promise.withResolvers<void>();
    const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
    vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async (...args) => {
      await answer.promise;
      return decrypt(...args);
    });
    await desk.open('?selected=1');
    expect(editor(await form('1'), 'Supplier')).toHaveProperty('value', 'Muller GmbH');
    answer.resolve();
    await waitFor(async () =>
      expect(editor(await form('1'), 'Supplier')).toHaveProperty('value', 'Muller GmbH & Co'),
    );
  });

  it('of a renamed field are discarded, and those of others stay, also in an open form', async () => {
    const { user, queryClient } = await desk.open('?selected=1');
    const before = await form('1');
    await user.type(editor(before, 'Supplier'), ' & Co');
    await user.type(editor(before, 'Note'), '!');
    await stored('Muller GmbH & Co');
    await desk.renameField('NOTE', 'REMARK');
    await queryClient.invalidateQueries();
    await screen.findByText(/^What you typed into NOTE is discarded/);
    const open = await form('1');
    await waitFor(() => expect(editor(open, 'Note')).toHaveProperty('value', 'one\ntwo  '));
    expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH & Co');
    expect(editor(open, 'Amount')).toHaveProperty('value', '10.50');
    await user.click(within(open).getByRole('button', { name: /^Save changes/ }));
    await within(open).findByText('Nothing changed');
    expect((await desk.stored('1')).values).toContain('Muller GmbH & Co');
    await drafted(0);
  });

  it(
    'of a renamed field do not empty it where the archive is read before its revision',
    { tags: ['long'] },
    async () => {
      const { user, queryClient, service, writes } = await desk.open('?selected=1');
      await user.type(editor(await form('1'), 'Supplier'), ' & Co');
      await desk.renameField('NOTE', 'REMARK');
      const readOn = service.hold('GET', 'documents/1');
      void queryClient.invalidateQueries();
      const section = screen.getByRole('region', { name: 'Form of revision 1' });
      await waitFor(() => expect(within(section).queryByRole('textbox')).toBeNull());
      readOn();
      const open = await form('1');
      expect(editor(open, 'Note')).toHaveProperty('value', 'one\ntwo  ');
      await user.click(within(open).getByRole('button', { name: /^Save changes/ }));
      await within(open).findByText('Nothing changed');
      expect(writes().map(({ body }) => body)).toEqual([
        { indexFields: [{ name: 'SUPPLIER', value: 'Muller GmbH & Co' }] },
      ]);
    },
  );

  it('leave the keywords of a renamed field as they are', async () => {
    const { user, queryClient, writes } = await desk.open('?selected=1');
    await user.type(editor(await form('1'), 'Supplier'), ' & Co');
    await stored('Muller GmbH & Co');
    await desk.defineKeywords({ name: 'LABELS', renamedFrom: 'SUBJECT' });
    await queryClient.invalidateQueries();
    const labels = await screen.findByRole('textbox', { name: /^LABELS/ });
    await user.type(labels, 'urgent{Enter}');
    const open = await form('1');
    expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH & Co');
    await user.click(within(open).getByRole('button', { name: /^Save changes/ }));
    await within(open).findByText('Nothing changed');
    expect(writes()).toHaveLength(1);
    expect((await desk.stored('1')).keywords).toEqual(['paper', 'ink, black', 'urgent']);
  });

  it(
    'leave the keywords of a restored field as they are, which are read after the archive',
    { tags: ['long'] },
    async () => {
      await desk.defineKeywords();
      const { user, queryClient, service } = await desk.open('?selected=1');
      await user.type(editor(await form('1'), 'Supplier'), ' & Co');
      await desk.defineKeywords({ name: 'SUBJECT', retiredAt: null });
      const readOn = service.hold('GET', 'documents/1');
      const refetched = queryClient.invalidateQueries();
      const subject = await screen.findByRole('textbox', { name: /^SUBJECT/ });
      readOn();
      await refetched;
      await user.type(subject, 'urgent{Enter}');
      const open = await form('1');
      await user.click(within(open).getByRole('button', { name: /^Save changes/ }));
      await within(open).findByText('Nothing changed');
      const { keywords, values } = await desk.stored('1');
      expect(keywords).toEqual(['paper', 'ink, black', 'urgent']);
      expect(values).toContain('Muller GmbH & Co');
    },
  );

  it('go when they are discarded', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), '!');
    await stored('Muller GmbH!');
    await user.click(within(open).getByRole('button', { name: 'Restore all' }));
    await drafted(0);
    expect(screen.queryByRole('button', { name: '1 unsaved' })).toBeNull();
  });

  it(
    'are merged with what others changed elsewhere in the revision, and say so',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      await user.type(editor(await form('1'), 'Supplier'), ' & Co');
      await stored('Muller GmbH & Co');
      cleanup();
      await desk.changeElsewhere('1', { PAID: true });
      await desk.open('?selected=1');
      const open = await form('1');
      expect(await within(open).findByText(/^root changed Paid at .*; your changes/)).toBeTruthy();
      expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH & Co');
      expect(within(open).getByText('1 field changed')).toBeTruthy();
    },
  );

  it(
    'say which of the same fields others changed, and compare them',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      await user.type(editor(await form('1'), 'Supplier'), ' & Co');
      await stored('Muller GmbH & Co');
      cleanup();
      await desk.changeElsewhere('1', { SUPPLIER: 'Müller AG' });
      const again = await desk.open('?selected=1');
      const open = await form('1');
      expect(await within(open).findByText(/^root changed Supplier, too, at /)).toBeTruthy();
      await again.user.click(within(open).getByRole('button', { name: 'Compare' }));
      const panel = await within(open).findByRole('group', { name: 'Changed meanwhile' });
      expect(panel.textContent).toMatch(/Müller AG.*Muller GmbH & Co/);
    },
  );

  it('are never shown to another user', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    await user.type(editor(await form('1'), 'Supplier'), '!');
    await stored('Muller GmbH!');
    cleanup();
    await desk.open('?selected=1', 'root');
    expect(editor(await form('1'), 'Supplier')).toHaveProperty('value', 'Muller GmbH');
    expect(screen.queryByRole('button', { name: '1 unsaved' })).toBeNull();
  });
});

describe('several tabs', () => {
  const cipher = localCipher();
  const draft = (supplier: string): Pick<StoredDraft, 'base' | 'edits'> => ({
    base: {
      etag: '"1"',
      revision: {
        revisionId: '1',
        documentId: '1',
        revision: 1,
        indexFields: [],
        keywordFields: [],
        changedAt: '2026-01-01T00:00:00.000Z',
        changedBy: 'anna',
        createdAt: '2026-01-01T00:00:00.000Z',
        locked: null,
        files: [],
      },
    },
    edits: new Map([['indexFields.SUPPLIER', supplier]]),
  });
  const tab = async (archive: string) => {
    const drafts = createDrafts(draftStorage(cipher), 'anna', archive);
    await waitFor(() => expect(drafts.ready.get()).toBe(true));
    return drafts;
  };
  const supplier = (drafts: Awaited<ReturnType<typeof tab>>) =>
    drafts.get('1')?.edits.get('indexFields.SUPPLIER');
  const written = (archive: string, count: number) =>
    waitFor(async () =>
      expect(await draftStorage(cipher).read('anna', archive)).toHaveLength(count),
    );

  it('show what the other has, keep their own, and take away no newer draft', async () => {
    const [one, two] = [await tab('TABS'), await tab('TABS')];
    one.set('1', draft('of one'));
    await waitFor(() => expect(supplier(two)).toBe('of one'));
    expect([...two.ids.get()]).toEqual(['1']);
    two.open('1');
    two.set('1', draft('of two'));
    await written('TABS', 1);
    one.set('1', draft('of one, newer'));
    await written('TABS', 2);
    expect([supplier(one), supplier(two)]).toEqual(['of one, newer', 'of two']);
    two.delete('1');
    await written('TABS', 1);
    expect(supplier(await tab('TABS'))).toBe('of one, newer');
    one.delete('1');
    await written('TABS', 0);
  });

  it(
    'take away no draft of another tab that they have not opened',
    { tags: ['long'] },
    async () => {
      const [one, two] = [await tab('UNOPENED'), await tab('UNOPENED')];
      one.set('1', draft('of one'));
      await waitFor(() => expect(supplier(two)).toBe('of one'));
      two.set('1', { ...draft(''), edits: new Map() });
      two.set('1', draft('of two'));
      await written('UNOPENED', 2);
      two.delete('1');
      await written('UNOPENED', 1);
      expect(supplier(await tab('UNOPENED'))).toBe('of one');
      one.delete('1');
      await written('UNOPENED', 0);
    },
  );

  it('work in memory, hold the tab and say so once where the disk refuses', async () => {
    const refusing = {
      read: () => Promise.reject(new Error('none')),
      write: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
    };
    // Files share the window of their worker: the listeners of other tabs must not answer here.
    const ownWindow = new EventTarget();
    vi.spyOn(globalThis, 'addEventListener').mockImplementation(
      ownWindow.addEventListener.bind(ownWindow),
    );
    vi.spyOn(globalThis, 'removeEventListener').mockImplementation(
      ownWindow.removeEventListener.bind(ownWindow),
    );
    const drafts = createDrafts(refusing, 'anna', 'FULL');
    await waitFor(() => expect(drafts.ready.get()).toBe(true));
    const held = () => {
      const leaving = new Event('beforeunload', { cancelable: true });
      ownWindow.dispatchEvent(leaving);
      return leaving.defaultPrevented;
    };
    drafts.set('1', draft('typed'));
    await waitFor(() => expect(held()).toBe(true));
    expect(supplier(drafts)).toBe('typed');
    drafts.delete('1');
    expect(held()).toBe(false);
  });
});
