import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { activeRequests } from '#web/api/request.ts';
import { liveState } from '#web/api/live/live.ts';
import { openDesk, row } from '../archive/desk.tsx';
import { COL, openGrids } from '../tables/open-grids.tsx';
import { liveNetwork } from './browser.ts';

const grids = await openGrids();
const desk = await openDesk();

type Page = Awaited<ReturnType<typeof grids.open | typeof desk.open>>;

/** Opens a page that reads what it shows, and does not hear of any change until it is greeted. */
async function openDeaf<Opened extends Page>(
  open: (network: Awaited<ReturnType<typeof liveNetwork>>['network']) => Promise<Opened>,
) {
  const live = await liveNetwork();
  const greet = live.server.hold();
  const page = await open(live.network);
  await waitFor(() => expect(live.server.connections()).toBe(1));
  return { ...page, live, greet };
}

const openGrid = async () => {
  const page = await openDeaf((network) => grids.open({ network }));
  const [first] = await page.stored();
  const placeNow = async () =>
    Number((await grids.root.get('application/sessions')).headers['last-event-id']);
  /** where the page has its events begin */
  const place = Number(page.live.server.positions()[0] ?? Number.NaN);
  return {
    ...page,
    jrid: first?.jrid ?? '',
    place,
    placeNow,
    /** somebody else changes the first row */
    async change(name: string) {
      const answer = await grids.root.put(`${page.path}/${first?.jrid}`, { dataset: { name } });
      expect(answer.status).toBe(200);
      await waitFor(async () => expect(await placeNow()).toBeGreaterThan(place));
    },
  };
};

/** What a page reads again as soon as it hears of changes. */
async function readAgain({ greet, service }: Awaited<ReturnType<typeof openDeaf>>) {
  await waitFor(() => expect(activeRequests.get()).toBe(0));
  const count = service.calls.length;
  const before = new Set(service.calls.map(({ url }) => url));
  greet();
  await waitFor(() => expect(liveState.get()).toBe('open'));
  // What is read at once is asked for by the next turn of the timers.
  await new Promise((turn) => setTimeout(turn));
  await waitFor(() => expect(activeRequests.get()).toBe(0));
  return service.calls
    .slice(count)
    .map(({ url }) => url)
    .filter((url) => before.has(url) || url.includes('jrid'));
}

describe('a page that has just been opened', () => {
  it('reads nothing of a table again where nothing has happened', { tags: ['long'] }, async () => {
    expect(await readAgain(await openGrid())).toEqual([]);
  });

  it('reads nothing of an archive again where nothing has happened', async () => {
    const page = await openDeaf((network) => desk.open('', 'anna', network));
    await row('1');
    expect(await readAgain(page)).toEqual([]);
  });

  it('receives what happened since its first answer', async () => {
    const { live, greet, text, guid, jrid, place, change } = await openGrid();
    await change('Zinc');
    greet();
    live.server.emit(place + 1, { table: guid, id: jrid, user: 'root', at: '' });
    await waitFor(() => expect(text(0, COL.name)).toBe('Zinc'));
  });

  it(
    'reloads an answer that is older than the events that the browser has received',
    { tags: ['long'] },
    async () => {
      const { live, greet, text, change, placeNow } = await openGrid();
      await change('Zinc');
      live.server.beginAt(await placeNow());
      greet();
      await waitFor(() => expect(text(0, COL.name)).toBe('Zinc'));
    },
  );
});
