import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The longest interval between two checks, in milliseconds. */
const MAX_CHECK_INTERVAL = 5_000;
/** The lowest accepted rate of a client, in bytes per second on average. */
const MIN_RATE = 100;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** bytes received and sent until the measured period began */
  read: number;
  written: number;
  /** when that period began for each direction; null: the service is not waiting for the client */
  readingSince: number | null;
  writingSince: number | null;
}

/**
 * Closes connections of stalled clients: they have begun a body and send (almost) nothing of it, or read (almost)
 * nothing of their answer. Requests that wait for the service itself are never aborted.
 * @param maxStallTime milliseconds
 * @returns stops watching
 */
export function closeSlowClients(server: Server, maxStallTime: number): () => void {
  const exchanges = new Set<Exchange>();
  server.on('request', (request, response) => {
    const exchange: Exchange = {
      request,
      response,
      read: 0,
      written: 0,
      readingSince: null,
      writingSince: null,
    };
    exchanges.add(exchange);
    const leave = () => {
      if (response.closed && (request.complete || request.destroyed)) exchanges.delete(exchange);
    };
    request.on('close', leave);
    response.on('close', leave);
  });
  const timer = setInterval(
    () => {
      const now = performance.now();
      for (const exchange of exchanges) {
        if (isStalled(exchange, now, maxStallTime)) exchange.request.socket.destroy();
        if (exchange.request.socket.destroyed) exchanges.delete(exchange);
      }
    },
    Math.min(MAX_CHECK_INTERVAL, maxStallTime / 2),
  ).unref();
  return () => clearInterval(timer);
}

function isStalled(exchange: Exchange, now: number, maxStallTime: number): boolean {
  const { request, response } = exchange;
  const { socket } = request;
  const minBytes = (maxStallTime / 1000) * MIN_RATE;

  // The service is reading the body, and everything that has arrived was read.
  const isReadingBody = !request.complete && request.readableFlowing === true;
  const read = socket.bytesRead;
  if (!isReadingBody || request.readableLength > 0) exchange.readingSince = null;
  else if (exchange.readingSince === null || read - exchange.read >= minBytes) {
    exchange.readingSince = now;
    exchange.read = read;
  }

  const unsentBytes = response.closed ? 0 : socket.writableLength;
  const written = socket.bytesWritten - unsentBytes;
  if (unsentBytes === 0) exchange.writingSince = null;
  else if (exchange.writingSince === null || written - exchange.written >= minBytes) {
    exchange.writingSince = now;
    exchange.written = written;
  }

  const hasStalled = (since: number | null) => since !== null && now - since >= maxStallTime;
  return hasStalled(exchange.readingSince) || hasStalled(exchange.writingSince);
}
