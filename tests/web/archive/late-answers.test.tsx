/** @module-tag slow */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { ServiceFetch } from '#tests/support/service-fetch.ts';
import { editor, form, grid, openDesk, row } from './desk.tsx';

const desk = await openDesk();

/** More revisions than one request of the list reads, with ids from 1 on. */
const manyRows = () =>
  desk.newArchive(Array.from({ length: 250 }, (_, i) => [`R-${i + 1}`, null, i, null, null, null]));

const line = (list: HTMLElement, index: number): HTMLElement => {
  const found = list.querySelector<HTMLElement>(`[data-row="${index}"]`);
  if (!found) throw new Error(`Row ${index} is not drawn.`);
  return found;
};

it('a row that is still being read is not opened over one that was clicked later', async () => {
  await manyRows();
  const { service, search } = await desk.open();
  const list = await grid();
  await waitFor(() => expect(line(list, 0).textContent).toContain('R-1'));
  const readOn = service.hold('GET');
  list.scrollTo({ top: 95 * 31 });
  await waitFor(() => expect(line(list, 98).textContent).toContain('R-99'));
  expect(line(list, 101).textContent).not.toContain('R-102');
  fireEvent.click(line(list, 101).querySelector('[role=gridcell]:nth-child(3)') ?? list);
  fireEvent.click(line(list, 98).querySelector('[role=gridcell]:nth-child(3)') ?? list);
  await waitFor(() => expect(search()['selected']).toBe('99'));
  readOn();
  await form('99');
  await waitFor(() => expect(line(list, 101).textContent).toContain('R-102'));
  expect(search()['selected']).toBe('99');
});

it(
  'the key for the next revision opens it also after one could not be read',
  { tags: ['long'] },
  async () => {
    await manyRows();
    let fails = true;
    const network = ({ fetch }: ServiceFetch) =>
      vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
        const url = input instanceof Request ? input.url : String(input);
        if (!fails || !/\/index\?.*offset=100/.test(url)) return fetch(input, init);
        const body = { code: 'internal', errors: { '-': ['Something broke.'] }, requestId: 'r' };
        return Promise.resolve(Response.json(body, { status: 500 }));
      });
    const { user, search } = await desk.open('?selected=100', 'anna', network);
    await form('100');
    // The key does nothing before the list has the row of the open form.
    await row('100');
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await screen.findByText(/^The next revision could not be read\./);
    fails = false;
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await waitFor(() => expect(search()['selected']).not.toBe('100'));
    expect(search()['selected']).toBe('101');
  },
);

it(
  'a form that was closed while the next revision was read stays closed',
  { tags: ['long'] },
  async () => {
    await manyRows();
    let readOn = () => {};
    const { user, search } = await desk.open('?selected=100', 'anna', (service) => {
      readOn = service.hold('GET', 'offset=100');
    });
    const open = await form('100');
    // The key does nothing before the list has the row of the open form.
    await row('100');
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await user.click(within(open).getByRole('button', { name: 'Close the form' }));
    await waitFor(() => expect(search()['selected']).toBeUndefined());
    readOn();
    await row('101');
    expect(search()['selected']).toBeUndefined();
  },
);

it('a save that is answered late leaves the revision that was opened meanwhile', async () => {
  const { user, service, search } = await desk.open('?selected=1&sort=revisionId');
  await user.click(editor(await form('1'), 'Supplier'));
  await user.keyboard('x');
  const sendOn = service.hold('PATCH');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await user.click(within(await row('4')).getAllByRole('gridcell')[2] ?? document.body);
  const other = await form('4');
  await user.click(editor(other, 'Supplier'));
  await user.keyboard('abc');
  sendOn();
  await waitFor(async () => expect((await row('1')).textContent).toContain('Muller GmbHx'));
  await user.keyboard('def');
  expect(search()['selected']).toBe('4');
  expect(editor(other, 'Supplier')).toHaveProperty('value', expect.stringMatching(/abcdef$/));
});

/** The page with a saved change in revision 1, whose next read is answered only when `answerOn` is called. */
async function openBeforeLateRead() {
  const answers = Promise.withResolvers<void>();
  let isHeld = false;
  let reads = 0;
  const network = ({ fetch }: ServiceFetch) =>
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      const answer = await fetch(input, init);
      const url = input instanceof Request ? input.url : String(input);
      if (isHeld && (init?.method ?? 'GET') === 'GET' && url.endsWith('/documents/1')) {
        reads += 1;
        await answers.promise;
      }
      return answer;
    });
  const page = await desk.open('?selected=1', 'anna', network);
  const shown = await form('1');
  isHeld = true;
  const save = async (label: string, text: string) => {
    const before = reads;
    await page.user.clear(editor(shown, label));
    await page.user.type(editor(shown, label), text);
    await page.user.keyboard('{Control>}s{/Control}');
    // The saved revision is read again after the answer.
    await waitFor(() => expect(reads).toBe(before + 1));
  };
  await save('Amount', '11');
  const answerOn = async () => {
    answers.resolve();
    await waitFor(() => expect(page.queryClient.isFetching()).toBe(0));
  };
  return { ...page, shown, save, answerOn };
}

it('a read that began before a save does not replace what it stored', async () => {
  const { shown, save, answerOn } = await openBeforeLateRead();
  await save('Supplier', 'Other');
  await answerOn();
  await within(shown).findByText('Nothing changed');
  expect(editor(shown, 'Supplier')).toHaveProperty('value', 'Other');
});

it('a read that began before a lock does not hide it', { tags: ['long'] }, async () => {
  const { user, shown, writes, answerOn } = await openBeforeLateRead();
  await user.click(within(shown).getByRole('button', { name: 'Lock for editing' }));
  await waitFor(() =>
    expect(writes().at(-1)).toMatchObject({ status: 200, body: { locked: true } }),
  );
  await answerOn();
  expect(within(shown).getByText(/^You locked this revision at/)).toBeTruthy();
  await user.click(within(shown).getByRole('button', { name: 'Unlock' }));
  await waitFor(async () => expect((await desk.stored('1')).revision.locked).toBeNull());
});

describe('a form that is loaded late leaves the focus in the search', () => {
  const search = () => screen.getByRole('searchbox', { name: /^Search in/ });

  it('after it was opened from the list', async () => {
    const { user, service } = await desk.open();
    await row('2');
    const readOn = service.hold('GET', '/documents/2');
    act(() => search().focus());
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await screen.findByRole('region', { name: 'Form of revision 2' });
    await user.click(search());
    await user.keyboard('R');
    readOn();
    const opened = await form('2');
    await user.keyboard('-2');
    expect(search()).toHaveProperty('value', 'R-2');
    expect(editor(opened, 'Invoice no.')).toHaveProperty('value', 'R-2');
  });

  it('after its row was read late', { tags: ['long'] }, async () => {
    await manyRows();
    const { user, service } = await desk.open();
    const list = await grid();
    await waitFor(() => expect(line(list, 0).textContent).toContain('R-1'));
    const readOn = service.hold('GET');
    act(() => list.focus());
    await user.keyboard('{End}{Enter}');
    await user.click(search());
    await user.keyboard('R');
    readOn();
    await form('250');
    await user.keyboard('-2');
    expect(search()).toHaveProperty('value', 'R-2');
  });

  it('after the revision before it was saved late', { tags: ['long'] }, async () => {
    const { user, service } = await desk.open('?selected=1&sort=revisionId');
    await user.click(editor(await form('1'), 'Supplier'));
    await user.keyboard('x');
    const sendOn = service.hold('PATCH');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await user.click(search());
    await user.keyboard('R');
    sendOn();
    await form('2');
    await user.keyboard('-2');
    expect(search()).toHaveProperty('value', 'R-2');
  });
});
