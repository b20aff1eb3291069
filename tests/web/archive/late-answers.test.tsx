import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ServiceFetch } from '#tests/support/service-fetch.ts';
import { form, grid, openDesk, row } from './desk.tsx';

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
