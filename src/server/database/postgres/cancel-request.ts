import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { PoolClient } from 'pg';

/** The codes of the requests (PostgreSQL's manual, "Message Formats"). */
const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = 80_877_103;

/** The server's answer to an SSLRequest if it supports TLS. */
const SUPPORTS_TLS = 'S';

/** Time limit for the connection, in milliseconds. Afterwards `statement_timeout` ends the statement. */
const MAX_CONNECT_TIME = 5_000;

/**
 * Asks the server to cancel the statement that runs on a connection, over a separate connection, as the protocol
 * requires; a pooler forwards it. If the connection itself is encrypted, the request is encrypted too, or not sent at
 * all.
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
    if (answer.toString('latin1') !== SUPPORTS_TLS) {
      socket.destroy();
      return;
    }
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const encrypted = connectTls({ host, ...options, ...servername, socket });
    encrypted.on('error', () => socket.destroy());
    encrypted.end(message);
  });
}

/** A message of whole numbers, preceded by its length. */
function messageOf(...numbers: readonly number[]): Buffer {
  const message = Buffer.alloc(4 * (numbers.length + 1));
  [message.length, ...numbers].forEach((number, i) => message.writeInt32BE(number, 4 * i));
  return message;
}

/** A number that the server sent when the connection began; pg's types do not declare it. */
function numberOf(client: PoolClient, name: string): number | null {
  const value: unknown = Reflect.get(client, name);
  return typeof value === 'number' ? value : null;
}

/** The TLS options with which a client was connected; null: without TLS. */
function tlsOf(client: PoolClient): ConnectionOptions | null {
  const ssl: unknown = Reflect.get(client, 'ssl');
  if (typeof ssl !== 'object' || ssl === null) return ssl === true ? {} : null;
  // The key of a client's certificate is a hidden property.
  const key: unknown = Reflect.get(ssl, 'key');
  return { ...ssl, ...(typeof key === 'string' ? { key } : {}) };
}
