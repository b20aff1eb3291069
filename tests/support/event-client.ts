import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { WAIT_LIMIT } from './effort.ts';
import type { Viewer } from '#shared/contract/workspace-answers.ts';
import { viewersEventSchema } from '#shared/contract/events.ts';
import { BASE, type TestApp } from './app.ts';

/** A `changed` event as it came. */
interface HeardEvent {
  readonly id: number;
  readonly data: Readonly<Record<string, string>>;
  /** of `performance.now()` */
  readonly heardAt: number;
}

/** A `viewers` event as it came. */
interface HeardViewers {
  readonly archive?: string;
  readonly table?: string;
  readonly id: string;
  readonly viewers: readonly Viewer[];
  /** of `performance.now()` */
  readonly heardAt: number;
}

/** A client that listens to the events of a service that listens on a port. */
export interface EventClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** everything that came, as text */
  text(): string;
  readonly events: readonly HeardEvent[];
  readonly viewers: readonly HeardViewers[];
  /** the last id that came, as the standard has it */
  lastId(): string;
  /** Resolves when so many events have come in all. */
  until(count: number, timeout?: number): Promise<void>;
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;
  response: IncomingMessage;
  close(): void;
}

export async function listenOn({ app }: TestApp): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens on no port.');
  return address.port;
}

export async function openEventStream(
  port: number,
  { cookie }: { readonly cookie: string },
  { lastEventId, query = '' }: { lastEventId?: string | undefined; query?: string } = {},
): Promise<EventClient> {
  const request = get({
    host: '127.0.0.1',
    port,
    path: `${BASE}application/events${query}`,
    agent: false,
    headers: {
      cookie,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  request.on('error', () => undefined);
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error('There was no response.');
  response.setEncoding('utf8');
  const events: HeardEvent[] = [];
  const viewers: HeardViewers[] = [];
  let text = '';
  let rest = '';
  let lastId = '';
  response.on('data', (piece: string) => {
    text += piece;
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line): [string, string] => {
          const [name = '', ...value] = line.split(': ');
          return [name, value.join(': ')];
        }),
      );
      lastId = fields.get('id') ?? lastId;
      const data = fields.get('data');
      if (data === undefined) continue;
      if (fields.get('event') === 'viewers') {
        expect(fields.has('id')).toBe(false);
        viewers.push({ ...viewersEventSchema.parse(JSON.parse(data)), heardAt: performance.now() });
        continue;
      }
      expect(fields.get('event')).toBe('changed');
      events.push({ id: Number(lastId), data: JSON.parse(data), heardAt: performance.now() });
    }
  });
  const ended = new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.on('error', () => undefined);
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events,
    viewers,
    lastId: () => lastId,
    async until(count, timeout = WAIT_LIMIT) {
      await expect
        .poll(() => events.length, { timeout, interval: 5 })
        .toBeGreaterThanOrEqual(count);
    },
    ended,
    response,
    close: () => request.destroy(),
  };
}

/** Opens a stream of events that is closed at the end of the test. */
export async function listenUntilTestEnds(
  ...given: Parameters<typeof openEventStream>
): Promise<EventClient> {
  const client = await openEventStream(...given);
  onTestFinished(() => client.close());
  return client;
}
