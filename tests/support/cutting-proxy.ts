import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands before a server and cuts connections. */
export interface CuttingProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The next so many connections are cut after so many bytes of an answer or a request. */
  cutNext(connections: number, after: { readonly sent?: number; readonly answered?: number }): void;
  /** how many were cut */
  cuts(): number;
  close(): Promise<void>;
}

/** @param target `http://HOST:PORT` */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let left = 0;
  let cuts = 0;
  let bounds = { sent: Infinity, answered: Infinity };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const end = () => {
      near.destroy();
      far.destroy();
    };
    const passed = { sent: 0, answered: 0 };
    const pass = (way: 'sent' | 'answered', to: Socket) => (data: Buffer) => {
      if (left > 0 && (passed[way] += data.length) > bounds[way]) {
        left--;
        cuts++;
        end();
      } else to.write(data);
    };
    near.on('data', pass('sent', far));
    far.on('data', pass('answered', near));
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cutNext(connections, { sent = Infinity, answered = Infinity }) {
      left = connections;
      cuts = 0;
      bounds = { sent, answered };
    },
    cuts: () => cuts,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
