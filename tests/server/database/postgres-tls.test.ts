import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '#server/database/open-database.ts';
import { testDatabases } from '#tests/support/databases.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/tls');
const CERTIFICATE = join(FOLDER, 'localhost-certificate.pem');
const KEY = join(FOLDER, 'localhost-key.pem');
const SERVER = {
  isServer: true,
  ca: readFileSync(CERTIFICATE),
  rejectUnauthorized: true,
  cert: readFileSync(CERTIFICATE),
  key: readFileSync(KEY),
};
/** The codes of the first message of a connection. */
const [SSL_REQUEST, CANCEL_REQUEST] = [80_877_103, 80_877_102];

/** PostgreSQL behind TLS. */
class EncryptedServer {
  speaksTls = true;
  /** whether clients need a certificate */
  requestCert = false;
  /** the code of the first message of each connection, and of the first one that was encrypted */
  readonly plain: number[] = [];
  readonly encrypted: number[] = [];
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #target: URL;

  constructor(databaseUrl: string) {
    this.#target = new URL(databaseUrl);
  }

  /** @returns its address */
  async listen(parameters: string): Promise<string> {
    this.#server.listen(0, 'localhost');
    await once(this.#server, 'listening');
    onTestFinished(() => {
      this.#server.close();
    });
    const { port } = Object(this.#server.address());
    const { username, password, pathname } = this.#target;
    return `postgres://${username}:${password}@localhost:${port}${pathname}?${parameters}`;
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first) => {
      this.plain.push(first.readInt32BE(4));
      socket.write(this.speaksTls ? 'S' : 'N');
      if (!this.speaksTls) return;
      const encrypted = new TLSSocket(socket, { ...SERVER, requestCert: this.requestCert });
      const far = connect(Number(this.#target.port), this.#target.hostname);
      encrypted.once('data', (data) => this.encrypted.push(data.readInt32BE(4)));
      encrypted.pipe(far).pipe(encrypted);
      for (const one of [encrypted, far]) one.on('error', () => socket.destroy());
    });
  }
}

describe('a connection to PostgreSQL with sslmode=verify-full', { tags: ['postgres'] }, () => {
  const databases = testDatabases('postgres');
  let server: EncryptedServer;
  let dataDir: string;
  const open = (url: string) => openDatabase({ dataDir, databaseUrl: url });
  beforeEach(async () => {
    const config = await databases.prepare();
    const { databaseUrl } = config;
    if (databaseUrl === undefined) throw new Error('PostgreSQL has an address.');
    ({ dataDir } = config);
    server = new EncryptedServer(databaseUrl);
  });

  it('is encrypted and shows a certificate, and so does the request that cancels a statement', async () => {
    server.requestCert = true;
    const verified = `sslmode=verify-full&sslrootcert=${CERTIFICATE}`;
    const url = await server.listen(`${verified}&sslcert=${CERTIFICATE}&sslkey=${KEY}`);
    const stranger = url.replace(/&sslcert.*/, '');
    await expect(open(stranger)).rejects.toBeInstanceOf(Error);
    expect(server.encrypted).toEqual([]);
    const database = await open(url);
    onTestFinished(() => database.close());
    await database.write((db) => sql`create table written (value int)`.execute(db.k));
    const client = new AbortController();
    const query = database.read((db) => sql`select pg_sleep(600)`.execute(db.k), {
      owner: () => 1,
      signal: client.signal,
    });
    await vi.waitFor(async () => {
      const { rows } = await database.read((db) =>
        sql`select 1 from pg_stat_activity where datname = current_database()
          and state = 'active' and query = 'select pg_sleep(600)'`.execute(db.k),
      );
      expect(rows).toHaveLength(1);
    });
    client.abort();
    await expect(query).rejects.toBeInstanceOf(Error);
    await vi.waitFor(() => expect(server.encrypted).toContain(CANCEL_REQUEST));
    expect(new Set(server.plain)).toEqual(new Set([SSL_REQUEST]));
  });

  it('is refused by a server without TLS, and by one whose certificate nobody knows', async () => {
    const url = await server.listen('sslmode=verify-full');
    await expect(open(url)).rejects.toThrow('certificate');
    server.speaksTls = false;
    await expect(open(url)).rejects.toThrow('does not support SSL');
    expect(server.encrypted).toEqual([]);
    expect(new Set(server.plain)).toEqual(new Set([SSL_REQUEST]));
  });
});
