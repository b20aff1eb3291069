import { connect, type Socket } from 'node:net';

/*
 * HTTP/1.1 over one connection that is kept, as little as measuring needs: Node's own clients take more time for a
 * request than the service for its answer, so that they would be what is measured.
 */

export interface Answer {
  readonly status: number;
  /** of the body */
  readonly bytes: number;
  /** the body where the status tells of an error */
  readonly said: string;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const END_OF_LINE = Buffer.from('\r\n');

export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #head: { status: number; length: number | 'chunked' } | undefined;
  /** bytes of the body, or of the chunk with its line end, that are still to come */
  #missing = 0;
  #bytes = 0;
  #said = '';
  #answered: ((answer: Answer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    const fail = (error: Error) => this.#failed?.(error);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('The connection was closed.')));
  }

  static open({ hostname, port }: URL): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** Sends a whole request, as its bytes, after the answer to the one before. */
  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    while (this.#step());
  }

  /** @returns whether there may be more to do with what was received */
  #step(): boolean {
    if (!this.#head) return this.#readHead();
    if (this.#missing > 0) {
      const part = this.#received.subarray(0, this.#missing);
      if (part.length === 0) return false;
      if (this.#head.status >= 400) this.#said += part.toString();
      this.#missing -= part.length;
      this.#bytes += part.length;
      this.#received = this.#received.subarray(part.length);
      if (this.#missing > 0) return false;
    }
    if (this.#head.length !== 'chunked') return this.#finish();
    return this.#readChunkSize();
  }

  #readHead(): boolean {
    const end = this.#received.indexOf(END_OF_HEAD);
    if (end < 0) return false;
    const text = this.#received.toString('latin1', 0, end);
    const status = Number(text.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    const chunked = /\r\ntransfer-encoding: *chunked/i.test(text);
    this.#received = this.#received.subarray(end + END_OF_HEAD.length);
    this.#head = { status, length: chunked ? 'chunked' : Number(length ?? 0) };
    this.#missing = this.#head.length === 'chunked' ? 0 : this.#head.length;
    return true;
  }

  #readChunkSize(): boolean {
    const end = this.#received.indexOf(END_OF_LINE);
    if (end < 0) return false;
    const size = Number.parseInt(this.#received.toString('latin1', 0, end), 16);
    if (size === 0) {
      // The empty line behind the last chunk; there are no trailers.
      const all = end + 2 * END_OF_LINE.length;
      if (this.#received.length < all) return false;
      this.#received = this.#received.subarray(all);
      return this.#finish();
    }
    this.#received = this.#received.subarray(end + END_OF_LINE.length);
    this.#missing = size + END_OF_LINE.length;
    return true;
  }

  #finish(): boolean {
    const answer = { status: this.#head?.status ?? 0, bytes: this.#bytes, said: this.#said };
    this.#head = undefined;
    this.#bytes = 0;
    this.#said = '';
    this.#answered?.(answer);
    return false;
  }
}
