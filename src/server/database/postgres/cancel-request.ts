import { connect } from 'node:net';
import type { PoolClient } from 'pg';

/** The code of a CancelRequest (PostgreSQL's manual, "Message Formats"). */
const CANCEL_REQUEST = 80_877_102;

/** A server that takes no connection is not waited for, in milliseconds: `statement_timeout` ends the statement then. */
const LONGEST = 5_000;

/**
 * Asks the server to cancel the statement that runs on a connection, over a connection of its own, as the protocol wants
 * it; a pooler passes it on. Like libpq's until PostgreSQL 16 it is sent without TLS: its key opens nothing, it cancels.
 */
export function requestCancel(client: PoolClient): void {
  const [process, secret] = [numberOf(client, 'processID'), numberOf(client, 'secretKey')];
  if (process === null || secret === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(CANCEL_REQUEST, 4);
  message.writeInt32BE(process, 8);
  message.writeInt32BE(secret, 12);
  const { host, port } = client;
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(LONGEST, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.unref();
  socket.end(message);
}

/** What the server has said of the connection when it began; its type definitions do not know of it. */
function numberOf(client: PoolClient, name: string): number | null {
  const value: unknown = Reflect.get(client, name);
  return typeof value === 'number' ? value : null;
}
