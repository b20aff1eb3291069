import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The longest interval between two checks, in milliseconds. */
const LOOK_EVERY = 5_000;
/** The lowest accepted rate of a client, in bytes per second on average. */
const SLOWEST = 100;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** bytes received and sent up to the beginning of the measured span */
  read: number;
  written: number;
  /** when that span began for each; null: the client is not waited for */
  readingSince: number | null;
  writingSince: number | null;
}

/**
 * Cuts connections whose clients stall: they have begun a body and send (almost) nothing of it, or take
 * (almost) nothing of their answer. What waits for the service itself is never cut.
 * @param longest milliseconds
 * @returns stops watching
 */
export function cutSlowClients(server: Server, longest: number): () => void {
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
        if (stalls(exchange, now, longest)) exchange.request.socket.destroy();
        if (exchange.request.socket.destroyed) exchanges.delete(exchange);
      }
    },
    Math.min(LOOK_EVERY, longest / 2),
  ).unref();
  return () => clearInterval(timer);
}

function stalls(exchange: Exchange, now: number, longest: number): boolean {
  const { request, response } = exchange;
  const { socket } = request;
  const least = (longest / 1000) * SLOWEST;

  // The service reads the body, and all that has arrived is read.
  const awaited = !request.complete && request.readableFlowing === true;
  const read = socket.bytesRead;
  if (!awaited || request.readableLength > 0) exchange.readingSince = null;
  else if (exchange.readingSince === null || read - exchange.read >= least) {
    exchange.readingSince = now;
    exchange.read = read;
  }

  const left = response.closed ? 0 : socket.writableLength;
  const written = socket.bytesWritten - left;
  if (left === 0) exchange.writingSince = null;
  else if (exchange.writingSince === null || written - exchange.written >= least) {
    exchange.writingSince = now;
    exchange.written = written;
  }

  const late = (since: number | null) => since !== null && now - since >= longest;
  return late(exchange.readingSince) || late(exchange.writingSince);
}
