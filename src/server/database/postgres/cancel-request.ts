import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { PoolClient } from 'pg';

/** The codes of the requests (PostgreSQL's manual, "Message Formats"). */
const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = 80_877_103;

/** The server's answer to an SSLRequest, where it speaks TLS. */
const SPEAKS_TLS = 'S';

/** A server that takes no connection is not waited for, in milliseconds: `statement_timeout` ends the statement then. */
const MAX_CONNECT_TIME = 5_000;

/**
 * Asks the server to cancel the statement that runs on a connection, over a connection of its own, as the protocol wants
 * it; a pooler passes it on. It is encrypted where the connection itself is, and never sent otherwise then.
 */
export function requestCancel(client: PoolClient): void {
  const [process, secret] = [numberOf(client, 'processID'), numberOf(client, 'secretKey')];
  if (process === null || secret === null) return;
  const message = messageOf(CANCEL_REQUEST, process, secret);
  const { host, port } = client;
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(MAX_CONNECT_TIME, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.unref();
  const tls = tlsOf(client);
  if (tls) sendEncrypted(socket, host, tls, message);
  else socket.end(message);
}

function sendEncrypted(
  socket: Socket,
  host: string,
  options: ConnectionOptions,
  message: Buffer,
): void {
  socket.write(messageOf(SSL_REQUEST));
  socket.once('data', (answer) => {
    if (answer.toString('latin1') !== SPEAKS_TLS) {
      socket.destroy();
      return;
    }
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const encrypted = connectTls({ host, ...options, ...servername, socket });
    encrypted.on('error', () => socket.destroy());
    encrypted.end(message);
  });
}

/** A message of whole numbers, after its length. */
function messageOf(...numbers: readonly number[]): Buffer {
  const message = Buffer.alloc(4 * (numbers.length + 1));
  [message.length, ...numbers].forEach((number, i) => message.writeInt32BE(number, 4 * i));
  return message;
}

/** What the server has said of the connection when it began; its type definitions do not know of it. */
function numberOf(client: PoolClient, name: string): number | null {
  const value: unknown = Reflect.get(client, name);
  return typeof value === 'number' ? value : null;
}

/** The options of TLS with which a client was connected; null: without TLS. */
function tlsOf(client: PoolClient): ConnectionOptions | null {
  const ssl: unknown = Reflect.get(client, 'ssl');
  if (typeof ssl !== 'object' || ssl === null) return ssl === true ? {} : null;
  // The key of a client's certificate is a hidden property.
  const key: unknown = Reflect.get(ssl, 'key');
  return { ...ssl, ...(typeof key === 'string' ? { key } : {}) };
}
