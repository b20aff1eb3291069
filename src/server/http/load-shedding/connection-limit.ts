import type { Server } from 'node:http';
import { FairLimiter } from './fair-limiter.ts';
import { networkOf } from '#server/lib/networks.ts';

/**
 * Limits the connections of a server, fairly by address: connections beyond the limit are closed immediately, and one
 * address, even a proxy's, can never use all of them.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  const limiter = new FairLimiter({ capacity: maxConnections, maxRunning: 0 });
  server.on('connection', (socket) => {
    const slot = limiter.acquire([networkOf(socket.remoteAddress ?? '')]);
    if (slot) socket.once('close', () => slot.release());
    else socket.destroy();
  });
}
