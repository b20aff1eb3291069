import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Content that the scanner finds, as clamd finds EICAR's test file. */
export const MALWARE = 'malware for tests';

export interface TestScanner {
  /** a setting of the service */
  readonly address: string;
  /** the files that it was sent, in their order */
  readonly scanned: Buffer[];
  /** what it answers instead of a result; null: results */
  answer: string | null;
  /** how many of the next connections it resets when a file arrives */
  resets: number;
  close(): Promise<void>;
}

/**
 * A scanner that speaks clamd's protocol, with the limit of a stream in bytes.
 * @param at a port, or the path of a Unix socket
 */
export async function startScanner(
  at: number | string = 0,
  limit = 1_000_000,
): Promise<TestScanner> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (part) => {
      received = Buffer.concat([received, Buffer.from(part)]);
      if (scanner.resets > 0 && received.includes('zINSTREAM')) {
        scanner.resets -= 1;
        socket.resetAndDestroy();
        return;
      }
      const answer = answerTo(received);
      if (answer === null) return;
      // As clamd does, whatever is still on its way.
      socket.write(`${answer}\0`, () => socket.destroy());
      socket.pause();
    });
  });
  const scanned: Buffer[] = [];
  const answerTo = (received: Buffer): string | null => {
    const end = received.indexOf(0);
    if (end < 0) return null;
    const command = received.toString('latin1', 0, end);
    if (scanner.answer !== null) return scanner.answer;
    if (command === 'zVERSION') return 'ClamAV 1.4.2/27500/Mon Jan  6 10:00:00 2025';
    if (command !== 'zINSTREAM') return 'UNKNOWN COMMAND';
    const parts: Buffer[] = [];
    for (let at = end + 1, size = 0; at + 4 <= received.length;) {
      const length = received.readUInt32BE(at);
      size += length;
      if (size > limit) return 'INSTREAM size limit exceeded. ERROR';
      if (length === 0) {
        const file = Buffer.concat(parts);
        scanned.push(file);
        return file.includes(MALWARE) ? 'stream: Test.Malware-1 FOUND' : 'stream: OK';
      }
      parts.push(received.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
    return null;
  };
  server.listen(typeof at === 'string' ? { path: at } : { port: at, host: '127.0.0.1' });
  await once(server, 'listening');
  const bound = server.address();
  const scanner: TestScanner = {
    address: typeof bound === 'object' && bound ? `127.0.0.1:${bound.port}` : String(bound),
    scanned,
    answer: null,
    resets: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((closed) => server.close(closed));
    },
  };
  onTestFinished(() => scanner.close());
  return scanner;
}
