import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What came on a connection up to the end of one answer. */
export interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A connection that sends what it likes; closed at the end of the test that opens it. */
export class RawClient {
  readonly socket: Socket;
  #received = '';
  #closed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    const wake = () => this.#wake();
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text;
      wake();
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.#closed = true;
        wake();
      });
  }

  /** @param localAddress an address of 127.0.0.0/8, so that clients of several addresses can be had */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    onTestFinished(() => {
      socket.destroy();
    });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Sends the head of a request, and what there is of its body. */
  send(request: string, headers: readonly string[], body = ''): void {
    this.socket.write([`${request} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n'));
  }

  /** The next whole answer. @throws {Error} where the connection is closed before */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      const head = this.#received.slice(0, Math.max(0, end));
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const whole = end + 4 + length;
      if (end >= 0 && this.#received.length >= whole) {
        const text = this.#received.slice(end + 4, whole);
        this.#received = this.#received.slice(whole);
        const body: unknown = text === '' ? undefined : JSON.parse(text);
        return { status: Number(head.split(' ')[1]), body };
      }
      if (this.#closed) throw new Error(`The connection was closed after “${this.#received}”.`);
      await this.#next();
    }
  }

  /** Resolves when the connection is closed. */
  async closed(): Promise<void> {
    while (!this.#closed) await this.#next();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
