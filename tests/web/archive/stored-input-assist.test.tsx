/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { inputAssistStorage } from '#web/features/index-form/input-assist-storage.ts';
import { localCipher } from '#tests/support/user-cipher.ts';
import { editor, form, openDesk } from './desk.tsx';

const desk = await openDesk();
const disk = inputAssistStorage(localCipher());
beforeEach(() => sessionStorage.clear());

const value = (field: HTMLElement) => (field instanceof HTMLInputElement ? field.value : '');

describe('what helps to type less, after a reload', () => {
  it('carries the field over and copies from the revision corrected before', async () => {
    const before = await desk.open('?selected=1');
    const first = await form('1');
    await before.user.clear(editor(first, 'Supplier'));
    await before.user.type(editor(first, 'Supplier'), 'Maier GmbH');
    await before.user.keyboard('{Control>}{Shift>}d{/Shift}s{/Control}');
    await before.user.clear(editor(first, 'Amount'));
    await before.user.type(editor(first, 'Amount'), '77');
    await before.user.keyboard('{Control>}s{/Control}');
    await within(first).findByText('Nothing changed');
    before.unmount();

    const { user } = await desk.open('?selected=2');
    const second = await form('2');
    expect(value(editor(second, 'Supplier'))).toBe('Maier GmbH');
    expect(within(second).getByText(/^carried over from revision 1/i)).toBeTruthy();
    editor(second, 'Amount').focus();
    await user.keyboard('{Control>}d{/Control}');
    expect(value(editor(second, 'Amount'))).toBe('77.00');
    expect(within(second).getByText('copied from revision 1')).toBeTruthy();
  });

  it('is each user’s own, and of one archive', async () => {
    const kept = {
      queue: 'q1',
      carriedOver: new Map([
        ['indexFields.A', { value: 'x', from: '1', excludedRevisions: new Set(['1', '2']) }],
        [
          'keywordFields.K',
          { value: ['a', 'b, c'], from: '3', excludedRevisions: new Set<string>() },
        ],
      ]),
      corrected: [{ revisionId: '1', values: new Map([['indexFields.A', null]]) }],
      viewed: [],
    };
    await disk.write('anna', 'ONE', kept);
    expect(await disk.read('anna', 'ONE')).toEqual(kept);
    const none = { queue: null, carriedOver: new Map(), corrected: [], viewed: [] };
    expect(await disk.read('anna', 'TWO')).toEqual(none);
    expect(await disk.read('bert', 'ONE')).toEqual(none);
  });

  it('is ignored if it was not written by this user', async () => {
    await disk.write('anna', 'ONE', {
      queue: null,
      carriedOver: new Map([
        ['A', { value: 'x', from: '1', excludedRevisions: new Set<string>() }],
      ]),
      corrected: [],
      viewed: [],
    });
    const [key = ''] = Object.keys(sessionStorage);
    for (const text of ['{', 'null', '[]', '["AAAA","AAAA"]', '{"carriedOver":[]}']) {
      sessionStorage.setItem(key, text);
      expect(await disk.read('anna', 'ONE')).toEqual({
        queue: null,
        carriedOver: new Map(),
        corrected: [],
        viewed: [],
      });
    }
    sessionStorage.setItem(key, '["AAAA","AAAA"]');
    await desk.open('?selected=1');
    expect(value(editor(await form('1'), 'Supplier'))).toBe('Muller GmbH');
    await waitFor(() => expect(screen.queryByText(/could not/)).toBeNull());
  });
});
