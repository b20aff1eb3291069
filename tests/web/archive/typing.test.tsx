/** @module-tag slow */
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inputAssistOf } from '#web/features/index-form/input-assist.ts';
import { editor, form, openDesk, row } from './desk.tsx';

const desk = await openDesk();

function value(within_: HTMLElement, label: string): string {
  const field = editor(within_, label);
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    ? field.value
    : '';
}

async function retype(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.type(field, text);
}

describe('ditto', () => {
  it(
    'copies the value of the revision corrected before, shown as a change',
    { tags: ['long'] },
    async () => {
      const { user, writes } = await desk.open('?selected=1');
      const first = await form('1');
      await retype(user, editor(first, 'Supplier'), 'Maier GmbH');
      await user.keyboard('{Control>}{Enter}{/Control}');
      const second = await form('2');
      await waitFor(() => expect(document.activeElement).toBe(editor(second, 'Supplier')));
      expect(within(second).getByRole('button', { name: /^Ctrl D Maier GmbH/ })).toBeTruthy();
      await user.keyboard('{Control>}d{/Control}');
      expect(value(second, 'Supplier')).toBe('Maier GmbH');
      expect(within(second).getByText('copied from revision 1')).toBeTruthy();
      expect(within(second).getByText('Müller GmbH')).toBeTruthy();
      await user.keyboard('{Control>}s{/Control}');
      await within(second).findByText('Nothing changed');
      expect(writes().at(-1)?.body).toEqual({
        indexFields: [{ name: 'SUPPLIER', value: 'Maier GmbH' }],
      });
      // What one has saved oneself here is not what came before.
      await retype(user, editor(second, 'Supplier'), 'x');
      await user.keyboard('{Control>}d{/Control}');
      expect(value(second, 'Supplier')).toBe('Maier GmbH');
    },
  );

  it('copies the present value after the save was undone', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    await retype(user, editor(await form('1'), 'Supplier'), 'Maier GmbH');
    await user.keyboard('{Control>}{Enter}{/Control}');
    const second = await form('2');
    await within(second).findByText('1 saved');
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(async () => expect((await desk.stored('1')).values[1]).toBe('Muller GmbH'));
    expect(await within(second).findByRole('button', { name: /^Ctrl D Muller GmbH/ })).toBeTruthy();
    expect(within(second).queryByText('1 saved')).toBeNull();
    await user.keyboard('{Control>}d{/Control}');
    expect(value(second, 'Supplier')).toBe('Muller GmbH');
  });

  it(
    'keeps to the corrected one where others were only looked at, and takes those where none was',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=3');
      editor(await form('3'), 'Amount').focus();
      await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
      const second = await form('2');
      await waitFor(() => expect(document.activeElement).toBe(editor(second, 'Amount')));
      // Revision 3 has no amount, and was only looked at.
      await user.keyboard('{Control>}d{/Control}');
      expect(value(second, 'Amount')).toBe('');
      await retype(user, editor(second, 'Amount'), '77');
      await user.keyboard('{Control>}s{/Control}');
      await within(second).findByText('Nothing changed');
      await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}');
      const fourth = await form('4');
      await waitFor(() => expect(document.activeElement).toBe(editor(fourth, 'Amount')));
      await user.keyboard('{Control>}d{/Control}');
      expect(value(fourth, 'Amount')).toBe('77.00');
    },
  );

  it('copies keywords, yes and no, and texts of several lines', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    const first = await form('1');
    await user.type(editor(first, 'Supplier'), '!');
    await user.keyboard('{Control>}{Enter}{/Control}');
    const second = await form('2');
    await waitFor(() => expect(document.activeElement).toBe(editor(second, 'Supplier')));
    within(second)
      .getByRole('textbox', { name: /^SUBJECT/ })
      .focus();
    await user.keyboard('{Control>}d{/Control}');
    expect(within(second).getByText('ink, black')).toBeTruthy();
    editor(second, 'Note').focus();
    await user.keyboard('{Control>}d{/Control}');
    await user.keyboard('{Control>}s{/Control}');
    await within(second).findByText('Nothing changed');
    const { values, keywords } = await desk.stored('2');
    expect(values[5]).toBe('one\r\ntwo  ');
    expect(keywords).toEqual(['paper', 'ink, black']);
  });

  it('says so where nothing came before', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    editor(await form('1'), 'Supplier').focus();
    await user.keyboard('{Control>}d{/Control}');
    expect(await screen.findByText(/nothing to copy/)).toBeTruthy();
  });
});

describe('a field that is carried over', () => {
  it(
    'changes the next forms, shows old and new, and is saved as an edit, until released',
    { tags: ['long'] },
    async () => {
      const { user, writes } = await desk.open('?selected=1');
      const first = await form('1');
      await retype(user, editor(first, 'Supplier'), 'Maier GmbH');
      await user.keyboard('{Control>}{Shift>}d{/Shift}{/Control}');
      const toggle = within(first).getByRole('button', { name: 'Carry over Supplier' });
      expect(toggle.getAttribute('aria-pressed')).toBe('true');
      await user.keyboard('{Control>}{Enter}{/Control}');

      const second = await form('2');
      expect(value(second, 'Supplier')).toBe('Maier GmbH');
      expect(within(second).getByText('carried over from revision 1')).toBeTruthy();
      expect(within(second).getByText('Müller GmbH')).toBeTruthy();
      expect(within(second).getByText('1 field changed')).toBeTruthy();
      await waitFor(() => expect(document.activeElement).toBe(editor(second, 'Supplier')));
      await user.keyboard('{Control>}{Enter}{/Control}');

      const third = await form('3');
      expect(value(third, 'Supplier')).toBe('Maier GmbH');
      await waitFor(() => expect(document.activeElement).toBe(editor(third, 'Supplier')));
      // Another value goes on from where it was typed.
      await retype(user, editor(third, 'Supplier'), 'Huber AG');
      await user.keyboard('{Control>}{Enter}{/Control}');
      const fourth = await form('4');
      expect(value(fourth, 'Supplier')).toBe('Huber AG');
      expect(within(fourth).getByText('carried over from revision 3')).toBeTruthy();
      await waitFor(() => expect(document.activeElement).toBe(editor(fourth, 'Supplier')));
      await user.keyboard('{Control>}{Shift>}d{/Shift}{/Control}');
      await user.keyboard('{Control>}u{/Control}');
      expect(value(fourth, 'Supplier')).toBe('Too long a number');
      expect(within(fourth).getByText('Nothing changed')).toBeTruthy();
      expect(writes().map(({ body }) => body)).toEqual(
        ['Maier GmbH', 'Maier GmbH', 'Huber AG'].map((text) => ({
          indexFields: [{ name: 'SUPPLIER', value: text }],
        })),
      );
    },
  );

  it('leaves alone what was corrected before, what was put back, and what one only looks at', async () => {
    const { user, writes } = await desk.open('?selected=1');
    const first = await form('1');
    await retype(user, editor(first, 'Amount'), '5');
    await user.keyboard('{Control>}{Shift>}d{/Shift}{/Control}');
    await user.keyboard('{Control>}{Enter}{/Control}');
    const second = await form('2');
    await waitFor(() => expect(document.activeElement).toBe(editor(second, 'Amount')));
    await user.keyboard('{Control>}u{/Control}');
    expect(value(second, 'Amount')).toBe('20.00');
    // On to the third without a save: it is changed there only as long as its form is open.
    await user.keyboard('{Control>}{Enter}{/Control}');
    const third = await form('3');
    expect(value(third, 'Amount')).toBe('5.00');
    await waitFor(() => expect(document.activeElement).toBe(editor(third, 'Amount')));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(value(await form('2'), 'Amount')).toBe('20.00');
    expect(screen.queryByRole('button', { name: /unsaved$/ })).toBeNull();
    await user.click(await row('1'));
    const again = await form('1');
    expect(value(again, 'Amount')).toBe('5.00');
    expect(within(again).getByText('Nothing changed')).toBeTruthy();
    expect(writes()).toHaveLength(1);
  });

  it(
    'carries keywords, nothing from an empty field, and lets a draft be',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=2');
      await user.type(editor(await form('2'), 'Amount'), '9');
      await user.click(await row('1'));
      const first = await form('1');
      for (const label of ['Amount', 'SUBJECT', 'Paid']) {
        await user.click(within(first).getByRole('button', { name: `Carry over ${label}` }));
      }
      await user.click(await row('2'));
      const second = await form('2');
      expect(value(second, 'Amount')).toBe('20.009');
      expect(within(second).getByText('ink, black')).toBeTruthy();
      expect(within(second).getByRole('radio', { name: 'Yes' })).toHaveProperty('checked', true);
      expect(within(second).getByText('2 fields changed')).toBeTruthy();
      await user.click(within(second).getByRole('button', { name: 'Restore all' }));
      expect(within(second).getByText('Nothing changed')).toBeTruthy();
    },
  );

  it('changes nothing for those who may only read', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1', await desk.userWith('read'));
    const first = await form('1');
    expect(within(first).queryByRole('button', { name: /^Carry over / })).toBeNull();
    editor(first, 'Supplier').focus();
    await user.keyboard('{Control>}{Shift>}d{/Shift}{/Control}');
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(value(await form('2'), 'Supplier')).toBe('Müller GmbH');
  });
});

describe('keys within the form', () => {
  it(
    'goes to the fields that are empty or wrong, around the end, both ways',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=4');
      const open = await form('4');
      await user.keyboard('{F8}');
      // Its number is longer than allowed today; date, note and keywords are empty.
      expect(document.activeElement).toBe(editor(open, 'Invoice no.'));
      await user.keyboard('{F8}');
      expect(document.activeElement).toBe(editor(open, 'Due'));
      await user.keyboard('{F8}');
      expect(document.activeElement).toBe(editor(open, 'Note'));
      await user.keyboard('{F8}{F8}');
      await screen.findByText(/^No other field is empty or wrong\./);
      expect(document.activeElement).toBe(editor(open, 'SUBJECT'));
      await user.keyboard('{F8}');
      expect(document.activeElement).toBe(editor(open, 'Invoice no.'));
      await user.keyboard('{Shift>}{F8}{F8}{/Shift}');
      expect(document.activeElement).toBe(editor(open, 'Note'));
      // From elsewhere what is wrong comes first, also where it stands above.
      await user.click(editor(open, 'Amount'));
      await user.keyboard('{F8}');
      expect(document.activeElement).toBe(editor(open, 'Invoice no.'));
    },
  );

  it(
    'goes through all empty fields by the key, and says when it is through',
    { tags: ['long'] },
    async () => {
      await desk.newArchive([['R-1', null, 1, null, null, 'x']]);
      const { user } = await desk.open('?selected=1');
      const open = await form('1');
      await user.click(editor(open, 'Invoice no.'));
      await within(open).findByRole('button', { name: /^F8/ });
      await user.keyboard('{F8}');
      expect(document.activeElement).toBe(editor(open, 'Supplier'));
      await user.keyboard('{F8}');
      expect(document.activeElement).toBe(within(open).getAllByRole('radio')[0]);
      await user.keyboard('{F8}');
      expect(document.activeElement).toBe(editor(open, 'Due'));
      await user.keyboard('{F8}');
      await screen.findByText(/^No other field is empty or wrong\./);
      await user.keyboard('{F8}');
      expect(document.activeElement).toBe(editor(open, 'Supplier'));
    },
  );

  it(
    'shows where a text of the document would go while the cursor is elsewhere',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      const open = await form('1');
      await user.click(editor(open, 'Supplier'));
      await user.click(await row('1'));
      const marked = open.querySelectorAll('[data-current]');
      expect([...marked].map((each) => each.getAttribute('data-field'))).toEqual([
        'indexFields.SUPPLIER',
      ]);
    },
  );

  it('restores one field or all', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    const open = await form('1');
    await retype(user, editor(open, 'Supplier'), 'a');
    await retype(user, editor(open, 'Amount'), '1');
    await user.keyboard('{Control>}u{/Control}');
    expect(value(open, 'Amount')).toBe('10.50');
    expect(within(open).getByText('1 field changed')).toBeTruthy();
    await user.keyboard('{Control>}{Shift>}u{/Shift}{/Control}');
    expect(within(open).getByText('Nothing changed')).toBeTruthy();
    expect(document.activeElement).toBe(editor(open, 'Amount'));
  });

  it(
    'leads the Tab key from field to field past the buttons that have keys',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      const open = await form('1');
      await retype(user, editor(open, 'Invoice no.'), 'R-9');
      await user.tab();
      expect(document.activeElement).toBe(editor(open, 'Supplier'));
    },
  );
});

describe('text from the document', () => {
  async function openWithTaker(search: string, language = 'de-DE') {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(language);
    onTestFinished(() => void vi.restoreAllMocks());
    const page = await desk.open(search);
    const typing = inputAssistOf(page.queryClient, 'anna', desk.table());
    return { ...page, take: (text: string) => act(() => typing.insertText(text)) };
  }

  it(
    'goes into the field that the cursor was in, read by the notation of the reader',
    { tags: ['long'] },
    async () => {
      const { user, take, writes } = await openWithTaker('?selected=1');
      const open = await form('1');
      await user.click(editor(open, 'Amount'));
      // Marking a text takes the focus out of the form.
      await user.click(document.body);
      take('1.234,50 €');
      expect(value(open, 'Amount')).toBe('1234,50');
      expect(within(open).getByText('“1.234,50 €” in the document')).toBeTruthy();
      expect(document.activeElement).toBe(editor(open, 'Amount'));
      await user.click(editor(open, 'Due'));
      take('12. März 2024');
      expect(value(open, 'Due')).toBe('12.03.2024');
      await user.click(within(open).getByRole('textbox', { name: /^SUBJECT/ }));
      take(' late\n delivery ');
      expect(await within(open).findByText('late delivery')).toBeTruthy();
      await user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('Nothing changed');
      expect(writes().at(-1)?.body).toMatchObject({
        indexFields: [
          { name: 'AMOUNT', value: 1234.5 },
          { name: 'DUE', value: '2024-03-12' },
        ],
      });
    },
  );

  it('offers the other reading, and keeps to it once chosen', { tags: ['long'] }, async () => {
    const { user, take } = await openWithTaker('?selected=1', 'en-US');
    const open = await form('1');
    await user.click(editor(open, 'Due'));
    take('03/04/2024');
    expect(value(open, 'Due')).toBe('03/04/2024');
    await user.tab();
    await user.keyboard('{Enter}');
    expect(value(open, 'Due')).toBe('04/03/2024');
    expect(document.activeElement).toBe(editor(open, 'Due'));
    take('05/06/2024');
    expect(value(open, 'Due')).toBe('06/05/2024');
  });

  it(
    'asks where the notation of the reader does not decide, by keys, and asks once',
    { tags: ['long'] },
    async () => {
      // Who writes the year first has no notation for this.
      const { user, take } = await openWithTaker('?selected=1', 'sv-SE');
      const open = await form('1');
      await user.click(editor(open, 'Due'));
      take('03/04/2024');
      const question = () => screen.queryByRole('group', { name: /What does “03\/04\/2024” mean/ });
      expect(within(question() ?? open).getByText('4 March 2024')).toBeTruthy();
      expect(value(open, 'Due')).toBe('2026-01-31');
      await user.keyboard('{Escape}');
      expect(question()).toBeNull();
      expect(document.activeElement).toBe(editor(open, 'Due'));
      expect(value(open, 'Due')).toBe('2026-01-31');
      take('03/04/2024');
      await user.keyboard('{ArrowDown}{Enter}');
      expect(value(open, 'Due')).toBe('2024-03-04');
      await user.keyboard('{Control>}u{/Control}');
      take('05/06/2024');
      expect(value(open, 'Due')).toBe('2024-05-06');
      // What was chosen for dates says nothing of numbers.
      await user.click(editor(open, 'Amount'));
      take('1 234,50');
      expect(value(open, 'Amount')).toBe('1234,50');
      await user.click(editor(open, 'Due'));
      await user.keyboard('{Control>}u{/Control}');
    },
  );

  it(
    'puts in as it is written what is no value, and says what is wrong',
    { tags: ['long'] },
    async () => {
      const { user, take } = await openWithTaker('?selected=1');
      const open = await form('1');
      await user.click(editor(open, 'Amount'));
      take('about ten');
      expect(value(open, 'Amount')).toBe('about ten');
      expect(await within(open).findByText(/must be a number/)).toBeTruthy();
      await user.click(within(open).getByRole('radio', { name: 'Empty' }));
      take('perhaps');
      expect(await screen.findByText('“perhaps” is neither yes nor no.')).toBeTruthy();
      take('ja');
      expect(within(open).getByRole('radio', { name: 'Yes' })).toHaveProperty('checked', true);
    },
  );

  it('is announced where no form accepts it', async () => {
    const { take } = await openWithTaker('');
    await row('1');
    take('x');
    expect(await screen.findByText(/^Open the form of a revision/)).toBeTruthy();
  });
});

describe('suggestions', () => {
  it(
    'have first what goes with the other fields, then what is used most',
    { tags: ['long'] },
    async () => {
      await desk.newArchive([
        ['R-1', 'Huber AG', 1, null, null, null],
        ['R-2', 'Huber AG', 1, null, null, null],
        ['R-3', 'Huber AG', 1, null, null, null],
        ['R-4', 'Maier GmbH', 7, null, null, null],
        ['R-5', 'Maier GmbH', 7, null, null, null],
        ['R-6', null, 7, null, null, null],
      ]);
      const { user } = await desk.open('?selected=6');
      const open = await form('6');
      const options = () =>
        screen.queryAllByRole('option', { hidden: true }).map(({ textContent }) => textContent);
      await user.click(editor(open, 'Supplier'));
      await waitFor(() => expect(options()).toEqual(['Maier GmbH', 'Huber AG']));
      await user.keyboard('{ArrowDown}{Enter}');
      expect(value(open, 'Supplier')).toBe('Maier GmbH');
      await retype(user, editor(open, 'Amount'), '1');
      await retype(user, editor(open, 'Supplier'), 'h');
      await waitFor(() => expect(options()).toEqual(['Huber AG', 'Maier GmbH']));
      await user.keyboard('{Control>}{Shift>}u{/Shift}{/Control}');
    },
  );
});
