import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** A network of its own beside this machine's, which can be lost without a word. */
export interface LostNetwork {
  /** the address of this machine for who is there */
  readonly address: string;
  /** Lets a client there send a request, and resolves when something is answered. It never closes by itself. */
  request(port: number, head: string): Promise<void>;
  /** From now on nothing gets through any more, in either way. */
  lose(): void;
}

/** Why there can be no such network here; null: there can. Root may make them, outside of most containers. */
export function obstacleToNetworks(): string | null {
  const name = `indexdesk-${process.pid}`;
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'ignore' });
    execFileSync('ip', ['netns', 'delete', name], { stdio: 'ignore' });
    return null;
  } catch {
    return 'ip (iproute2) cannot make a network namespace: this needs root';
  }
}

const CLIENT = `
  const [port, address, head] = process.argv.slice(1);
  const socket = require('node:net').connect(Number(port), address, () => socket.write(head));
  socket.once('data', () => console.log('answered'));
  socket.on('error', () => undefined);
  setInterval(() => undefined, 1000);
`;

/** Makes a network, until the test has ended. */
export function openLostNetwork(): LostNetwork {
  const id = randomInt(1, 250);
  const name = `indexdesk-${process.pid}-${id}`;
  const [here, there] = [`idh${id}x${process.pid % 1000}`, `idt${id}x${process.pid % 1000}`];
  const [address, theirs] = [`10.231.${id}.1`, `10.231.${id}.2`];
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'ignore' });
  const inside = (...args: string[]) => ip('netns', 'exec', name, 'ip', ...args);
  ip('netns', 'add', name);
  const clients: ReturnType<typeof spawn>[] = [];
  onTestFinished(() => {
    for (const client of clients) client.kill('SIGKILL');
    // With it go both ends of the line.
    ip('netns', 'delete', name);
  });
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
  ip('link', 'set', there, 'netns', name);
  ip('address', 'add', `${address}/30`, 'dev', here);
  ip('link', 'set', here, 'up');
  inside('address', 'add', `${theirs}/30`, 'dev', there);
  inside('link', 'set', there, 'up');
  return {
    address,
    async request(port, head) {
      const args = ['netns', 'exec', name, process.execPath, '-e', CLIENT, '--'];
      const client = spawn('ip', [...args, String(port), address, head], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      clients.push(client);
      if (client.stdout) await once(client.stdout, 'data');
    },
    lose: () => inside('link', 'set', there, 'down'),
  };
}
