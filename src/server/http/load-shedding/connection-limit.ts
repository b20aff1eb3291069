import type { Server } from 'node:http';
import { FairLimiter } from './fair-limiter.ts';
import { networkOf } from './networks.ts';

/**
 * Limits the connections of a server, fairly by address: further ones are closed as they come, and one address alone,
 * be it a proxy's, never has all of them.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  const limiter = new FairLimiter({ places: maxConnections, concurrent: 0 });
  server.on('connection', (socket) => {
    const place = limiter.enter([networkOf(socket.remoteAddress ?? '')]);
    if (place) socket.once('close', () => place.leave());
    else socket.destroy();
  });
}
