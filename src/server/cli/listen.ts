import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config.ts';

type Place = Pick<Config, 'host' | 'port'>;

/**
 * Takes the port and gives it back at once, so that a start which it would end in the end has done nothing yet.
 * @throws {Error} with a message for the administrator where it cannot be had
 */
export async function checkPort({ host, port }: Place): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (error) {
    throw new Error(problemOf(error, host, port), { cause: error });
  }
  server.close();
  await once(server, 'close');
}

/**
 * @returns the port
 * @throws {Error} with a message for the administrator where it cannot be had
 */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new Error(problemOf(error, host, port), { cause: error });
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens on no port.');
  return address.port;
}

function problemOf(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `The port ${port} of ${host} is in use by another program. Choose another one with --port.`;
    case 'EACCES':
      return `The port ${port} may not be used by this user. Choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine. Choose another one with --host.`;
    default:
      return `The service cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Where a browser finds the service. */
export function addressOf({ host }: Place, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
