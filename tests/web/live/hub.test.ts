/** @module-tag slow */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHub, type FromHub } from '#web/api/live/hub.ts';
import { eventServer } from './event-source.ts';

async function openHub() {
  const server = await eventServer();
  const told: FromHub[] = [];
  const hub = createHub((message) => told.push(message));
  const signedIn = (user: string | null, since: string | null = null) =>
    hub.receive({ user, url: server.url, since });
  onTestFinished(() => signedIn(null));
  return {
    server,
    told,
    signedIn,
    kinds: () => told.map(({ kind }) => kind),
    data: () =>
      told.flatMap((message) => (message.kind === 'changed' ? message.data : [])).map(String),
  };
}

describe('the one connection of a browser', () => {
  it('is one connection for all tabs, and delivers changes in batches', async () => {
    const { server, told, signedIn, data } = await openHub();
    for (let tab = 0; tab < 8; tab++) signedIn('anna');
    await vi.waitFor(() => expect(told.at(-1)).toEqual({ user: 'anna', kind: 'open', at: '0' }));
    server.emit(1, { id: 'a' });
    server.emit(2, { id: 'b' }, 'something else');
    server.emit(3, { id: 'c' });
    await vi.waitFor(() => expect(data()).toEqual(['{"id":"a"}', '{"id":"c"}']));
    expect(told.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
    expect(server.connections()).toBe(1);
  });

  it('begins where the first tab has read, and says to the next how far it has come', async () => {
    const { server, told, signedIn, data } = await openHub();
    signedIn('anna', '12');
    await vi.waitFor(() => expect(told.at(-1)).toEqual({ user: 'anna', kind: 'open', at: '12' }));
    expect(server.positions()).toEqual(['12']);
    server.emit(15, 'one');
    await vi.waitFor(() => expect(data()).toEqual(['"one"']));
    signedIn('anna', '14');
    expect(told.at(-1)).toEqual({ user: 'anna', kind: 'open', at: '15' });
    expect(server.connections()).toBe(1);
  });

  it('is not open before the service has said where it begins', async () => {
    const { server, told, signedIn } = await openHub();
    const greet = server.hold();
    signedIn('anna');
    await vi.waitFor(() => expect(server.connections()).toBe(1));
    await pause(100);
    expect(told).toEqual([]);
    server.beginAt(30);
    greet();
    await vi.waitFor(() => expect(told.at(-1)).toEqual({ user: 'anna', kind: 'open', at: '30' }));
  });

  it('resumes at its position, after an interruption and after an end', async () => {
    const { server, signedIn, kinds, data } = await openHub();
    signedIn('anna');
    await vi.waitFor(() => expect(server.connections()).toBe(1));
    server.emit(41, 'one');
    await vi.waitFor(() => expect(data()).toEqual(['"one"']));
    server.cut();
    await vi.waitFor(() => expect(server.positions()).toEqual([null, '41']));
    await vi.waitFor(() => expect(server.connections()).toBe(1));
    server.emit(42, 'two');
    await vi.waitFor(() => expect(data()).toEqual(['"one"', '"two"']));
    server.end();
    await vi.waitFor(() => expect(server.positions()).toEqual([null, '41', '42']));
    await vi.waitFor(() =>
      expect(kinds().filter((kind) => kind !== 'changed')).toEqual([
        'open',
        'lost',
        'open',
        'lost',
        'open',
      ]),
    );
  });

  it(
    'pauses while nobody is signed in, and resumes at its position when the same user is again',
    { tags: ['long'] },
    async () => {
      const { server, told, signedIn } = await openHub();
      signedIn('anna');
      await vi.waitFor(() => expect(server.connections()).toBe(1));
      server.emit(7, 'one');
      await vi.waitFor(() => expect(told).toHaveLength(2));
      server.answerWith({ status: 401 });
      server.end();
      await vi.waitFor(() => expect(server.positions()).toEqual([null, '7']));
      await pause(600);
      expect(server.positions()).toHaveLength(2);
      expect(told.slice(-2)).toEqual([
        { user: 'anna', kind: 'lost', at: '7' },
        { user: 'anna', kind: 'signed-out', at: '7' },
      ]);
      server.answerWith(null);
      signedIn('anna');
      await vi.waitFor(() => expect(server.positions()).toEqual([null, '7', '7']));
    },
  );

  it('starts again for another user, who receives nothing of the previous one', async () => {
    const { server, told, signedIn } = await openHub();
    signedIn('anna');
    await vi.waitFor(() => expect(server.connections()).toBe(1));
    server.emit(7, 'for anna');
    await vi.waitFor(() => expect(told).toHaveLength(2));
    signedIn('ben');
    await vi.waitFor(() => expect(server.positions()).toEqual([null, null]));
    await vi.waitFor(() => expect(server.connections()).toBe(1));
    server.emit(8, 'for ben');
    await vi.waitFor(() =>
      expect(told).toContainEqual({ user: 'ben', kind: 'changed', data: ['"for ben"'], at: '8' }),
    );
    signedIn(null);
    await vi.waitFor(() => expect(server.connections()).toBe(0));
    await pause(600);
    expect(server.positions()).toHaveLength(2);
  });

  it('starts again at a service that does not know its position, as after a restored backup', async () => {
    const { server, signedIn, data } = await openHub();
    signedIn('anna');
    await vi.waitFor(() => expect(server.connections()).toBe(1));
    server.emit(900, 'one');
    await vi.waitFor(() => expect(data()).toHaveLength(1));
    server.answerWith({ status: 400 });
    server.end();
    await vi.waitFor(() => expect(server.positions()).toEqual([null, '900']));
    server.answerWith(null);
    await vi.waitFor(() => expect(server.positions()).toEqual([null, '900', null]));
  });

  it(
    'comes back with pauses from a service that is not ready, and leaves one without events alone',
    { tags: ['long'] },
    async () => {
      const { server, signedIn, kinds } = await openHub();
      server.answerWith({ status: 503, headers: { 'retry-after': '1' } });
      signedIn('anna');
      await pause(2_500);
      const tries = server.positions().length;
      expect(tries).toBeGreaterThan(1);
      expect(tries).toBeLessThan(6);
      expect(new Set(kinds())).toEqual(new Set(['lost']));
      server.answerWith({ status: 404 });
      await vi.waitFor(() => expect(kinds().at(-1)).toBe('off'));
      const before = server.positions().length;
      await pause(1_200);
      expect(server.positions()).toHaveLength(before);
    },
  );
});
