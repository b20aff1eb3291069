import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface PostgresProxy {
  /** the given address, but through the proxy */
  readonly url: string;
  /** From now on, a message with this text passes on to the server, which does what it says, and the connection is cut before its answer. */
  cutAfter(text: string | undefined): void;
  /** Whether, from now on, nothing passes on either way, as if the other end had vanished. */
  swallow(all: boolean): void;
  /** Cuts all connections that there are. */
  cutAll(): void;
  /** From now on, new connections go to another server; those that there are go on. */
  pointTo(databaseUrl: string): void;
  close(): Promise<void>;
}

/** Stands between the service and a PostgreSQL server, to break connections at chosen moments. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let cutAfter: string | undefined;
  let swallowing = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let cut = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        // A reset would make the server forget the messages that it has not read yet.
        if (cut && socket === near) far.end();
        else far.destroy();
      });
    }
    near.on('data', (data) => {
      cut ||= cutAfter !== undefined && data.includes(cutAfter);
      if (!swallowing) far.write(data);
    });
    far.on('data', (data) => {
      if (cut) near.destroy();
      else if (!swallowing) near.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  return {
    url: url.href,
    cutAfter: (text) => {
      cutAfter = text;
    },
    swallow: (all) => {
      swallowing = all;
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    pointTo: (address) => {
      target = new URL(address);
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
