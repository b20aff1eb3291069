import * as texts from '#messages/service/cli.ts';
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config.ts';
import { codeOf, messageOf } from '#server/lib/caught-errors.ts';
import { OperatorError } from '#server/lib/operator-error.ts';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * Opens and closes the port, so that a start that would fail later has no effects yet.
 * @throws {OperatorError} if the port is not available
 */
export async function assertPortIsFree({ host, port }: Address): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (error) {
    throw new OperatorError(problemOf(error, host, port), { cause: error });
  }
  server.close();
  await once(server, 'close');
}

/**
 * @returns the port
 * @throws {OperatorError} if the port is not available
 */
export async function listenOnPort(app: FastifyInstance, { host, port }: Config): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new OperatorError(problemOf(error, host, port), { cause: error });
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port.');
  return address.port;
}

function problemOf(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  switch (code) {
    case 'EADDRINUSE':
      return texts.portInUse({ port, host });
    case 'EACCES':
      return texts.portForbidden(port);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return texts.hostUnknown(host);
    default:
      return texts.cannotListen({
        host,
        port,
        value: messageOf(error),
      });
  }
}

/** The URL of the service. */
export function addressOf({ host }: Pick<Config, 'host'>, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
