import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server of events on a real port, which does to its clients what networks and services do. */
export async function eventServer() {
  let begins: number | null = null;
  let greeting = Promise.resolve();
  const asked: IncomingMessage[] = [];
  const open = new Set<ServerResponse>();
  let refuse: { readonly status: number; readonly headers?: Record<string, string> } | null = null;
  const server = createServer(async (request, response) => {
    asked.push(request);
    if (refuse) {
      response.writeHead(refuse.status, refuse.headers).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
    open.add(response);
    response.on('close', () => open.delete(response));
    await greeting;
    const place = begins ?? Number(request.headers['last-event-id'] ?? 0);
    response.write(`retry: 20\nid: ${place}\n\n`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const { port }: AddressInfo = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}/events`,
    /** the positions that clients came with */
    positions: () => asked.map(({ headers }) => headers['last-event-id'] ?? null),
    connections: () => open.size,
    /** Begins there, wherever a client was, as where the browser has heard events for a while. */
    beginAt(position: number) {
      begins = position;
    },
    /** Says nothing to those who come until the function that it returns is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      greeting = promise;
      return resolve;
    },
    emit(position: number, data: unknown, type = 'changed') {
      for (const response of open) {
        response.write(`id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
      }
    },
    /** cuts all connections */
    cut() {
      for (const response of open) response.destroy();
    },
    /** ends all answers as a service does that is being stopped */
    end() {
      for (const response of open) response.end();
    },
    answerWith(answer: typeof refuse) {
      refuse = answer;
    },
  };
}
