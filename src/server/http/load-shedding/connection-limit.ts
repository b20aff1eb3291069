import type { Server } from 'node:http';
import { FairLimiter } from './fair-limiter.ts';
import { networkOf } from './networks.ts';

/**
 * Limits the connections of a server, fairly by address: connections beyond the limit are closed immediately, and one
 * address, even a proxy's, can never use all of them.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  const limiter = new FairLimiter({ places: maxConnections, concurrent: 0 });
  server.on('connection', (socket) => {
    const place = limiter.enter([networkOf(socket.remoteAddress ?? '')]);
    if (place) socket.once('close', () => place.leave());
    else socket.destroy();
  });
}
