/** @module-tag slow */
import { readdir } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { releaseBodyMemory, reserveBodyMemory } from '#server/http/body-memory.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('large JSON bodies', (open) => {
  let t: TestApp;
  let table: Table;
  let clerk: TestClient;

  beforeAll(async () => {
    t = await openApp(open, { maxBodyBytes: 1.5 * 1024 * 1024 });
    table = await buildTable(t.database, [{ name: 'NAME' }]);
    await buildUser(t.database, { rights: [rightOn(table, 'write')] });
    clerk = await t.signedIn('clerk');
  });

  /** Two of them reserve all memory there is for bodies. */
  const NAME = 'x'.repeat(300_000);
  const large = { datasets: [{ NAME }, { NAME }] };
  /** The files in which bodies wait. */
  const waiting = () => readdir(openFileStore(t.config).incomingDir);

  it('are all answered, those that are refused and those that are not JSON, too', async () => {
    const bodies = [
      large,
      JSON.stringify(large).slice(0, -1),
      { ...large, other: 1 },
      large,
      large,
      { datasets: Array.from({ length: 6 }, () => ({ NAME })) },
    ];
    const answers = await Promise.all(bodies.map((body) => clerk.post(datasetsPath(table), body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 422, 200, 200, 413]);
    expect((await clerk.post(datasetsPath(table), large)).status).toBe(200);
    expect(await waiting()).toEqual([]);
  });

  it('are the same body again when they are repeated with their key', async () => {
    const headers = { 'idempotency-key': 'one and the same' };
    const first = await clerk.post(datasetsPath(table), large, { headers });
    const again = await clerk.post(datasetsPath(table), large, { headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = { datasets: [{ NAME }, { NAME: `${NAME}y` }] };
    expect((await clerk.post(datasetsPath(table), other, { headers })).status).toBe(409);
  });

  it('take no memory once their clients have left, which nothing would give back', async () => {
    const left = new IncomingMessage(new Socket());
    releaseBodyMemory(left);
    await expect(reserveBodyMemory(left, 4_000_000)).rejects.toThrow(
      'body of the request is incomplete',
    );
    expect((await clerk.post(datasetsPath(table), large)).status).toBe(200);
  });

  it('leave no file behind where the client goes away in the middle', async () => {
    const address = new URL(await t.app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(address.port), '127.0.0.1');
    const path = new URL(`/api/rest/v2/${datasetsPath(table)}`, address).pathname;
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${address.host}\r\nCookie: ${clerk.cookie}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"datasets":[{"NAME":"`,
    );
    socket.write('x'.repeat(700_000));
    await expect.poll(waiting).toHaveLength(1);
    socket.destroy();
    await expect.poll(waiting).toEqual([]);
  });
});
