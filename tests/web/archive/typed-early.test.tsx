/** @module-tag slow */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openQueueDesk, shownId } from '../queue/desk.tsx';
import { editor, form, row } from './desk.tsx';

const desk = await openQueueDesk();

const NOT_ENTERED = /^What you typed was not entered/;

/** Presses Enter on the row of revision 2, which the service does not answer. */
async function enterUnread() {
  const page = await desk.open('?sort=revisionId');
  await row('2');
  const readOn = page.service.hold('GET', '/documents/2');
  act(() => screen.getByRole('searchbox', { name: /^Search in/ }).focus());
  await page.user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await screen.findByRole('region', { name: 'Form of revision 2' });
  return { ...page, readOn };
}

describe('what is typed before the form is there', () => {
  it('is entered into its field after Enter in the list', async () => {
    const { user, readOn, search } = await enterUnread();
    await user.keyboard('47 ');
    readOn();
    const opened = await form('2');
    await user.keyboard('11');
    expect(editor(opened, 'Invoice no.')).toHaveProperty('value', '47 11');
    expect(search()['selected']).toBe('2');
  });

  it('is entered key by key, also into the next fields and forms', async () => {
    const { user, readOn } = await enterUnread();
    await user.keyboard('48{Backspace}7{Tab}New GmbH{Shift>}{Tab}{/Shift}4711{Tab}');
    await user.keyboard('{Control>}{Enter}{/Control}x');
    readOn();
    const next = await form('3');
    await waitFor(() => expect(editor(next, 'Supplier')).toHaveProperty('value', 'x'));
    const { values } = await desk.stored('2');
    expect(values.slice(0, 2)).toEqual(['4711', 'New GmbH']);
  });

  it('is not entered, with a notice, if the form cannot be read', async () => {
    const page = await desk.open('?sort=revisionId');
    await row('2');
    const readAgain = page.service.failReads('/documents/2');
    act(() => screen.getByRole('searchbox', { name: /^Search in/ }).focus());
    await page.user.keyboard('{ArrowDown}{ArrowDown}{Enter}47');
    await screen.findByText(NOT_ENTERED);
    readAgain();
    expect(screen.queryByRole('textbox', { name: /^Amount/ })).toBeNull();
  });

  it(
    'is not entered, with a notice, if another revision is chosen meanwhile',
    { tags: ['long'] },
    async () => {
      const { user, readOn } = await enterUnread();
      await user.keyboard('47');
      await user.click(within(await row('1')).getAllByRole('gridcell')[2] ?? document.body);
      await screen.findByText(NOT_ENTERED);
      readOn();
      expect(editor(await form('1'), 'Invoice no.')).toHaveProperty('value', 'R-1');
    },
  );

  it('is not entered at all if the cursor was moved in it', async () => {
    const { user, readOn } = await enterUnread();
    await user.keyboard('47{ArrowLeft}');
    await screen.findByText(NOT_ENTERED);
    readOn();
    const opened = await form('2');
    await user.keyboard('11');
    expect(editor(opened, 'Invoice no.')).toHaveProperty('value', 'R-2');
  });

  it('is entered into the dialog that was opened meanwhile', async () => {
    const { readOn } = await enterUnread();
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    fireEvent.keyDown(document.body, { key: '4' });
    const dialog = await screen.findByRole('dialog', { name: 'Go to' });
    await waitFor(() => expect(within(dialog).getByRole('combobox')).toHaveProperty('value', '4'));
    readOn();
    expect(editor(await form('2'), 'Invoice no.')).toHaveProperty('value', 'R-2');
  });

  it('is entered into the next form while the one before is being saved', async () => {
    const { user, service } = await desk.open('?selected=1&sort=revisionId');
    await user.click(editor(await form('1'), 'Supplier'));
    await user.keyboard('x');
    const sendOn = service.hold('PATCH');
    await user.keyboard('{Control>}{Enter}{/Control}47');
    sendOn();
    const next = await form('2');
    await waitFor(() => expect(editor(next, 'Supplier')).toBe(document.activeElement));
    await user.keyboard('11');
    expect(editor(next, 'Supplier')).toHaveProperty('value', '4711');
    expect((await desk.stored('1')).values[1]).toBe('Muller GmbHx');
  });

  it('of the next revision in a queue is entered into its field', async () => {
    let readOn = () => {};
    const { user } = await desk.openQueue('sort=revisionId', (service) => {
      readOn = service.hold('GET', '/documents/2');
    });
    await form('1');
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}47');
    expect(shownId()).toBe('2');
    readOn();
    const next = await form('2');
    await waitFor(() => expect(editor(next, 'Invoice no.')).toBe(document.activeElement));
    await user.keyboard('11');
    expect(editor(next, 'Invoice no.')).toHaveProperty('value', '4711');
  });

  it('of the first revision of a queue is entered into its field', { tags: ['long'] }, async () => {
    let readOn = () => {};
    const { user } = await desk.openQueue('sort=revisionId', (service) => {
      readOn = service.hold('GET', '/documents/1');
    });
    await screen.findByRole('region', { name: 'Form of revision 1' });
    await user.keyboard('47');
    readOn();
    const first = await form('1');
    await waitFor(() => expect(editor(first, 'Invoice no.')).toBe(document.activeElement));
    await user.keyboard('11');
    expect(editor(first, 'Invoice no.')).toHaveProperty('value', '4711');
  });
});
