import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { BASE } from '#server/http/paths.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { openEventStream } from '#tests/support/event-client.ts';
import { obstacleToNetworks, openLostNetwork } from '#tests/support/lost-network.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { eventually, ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { Clerks } from './clerks.ts';
import { ARCHIVE, prepareLedger, REVISIONS, USERNAME } from './ledger-content.ts';
import { lossesAndDoubles, nothingIsLost } from './losses.ts';

/** The limits of the service add up to 8 s; the rest is for a busy machine. */
const LONGEST_END = 30_000;
/** Far more than the kernel keeps between a service and a client. */
const LARGE = 24 * 1024 * 1024;
const withoutNetworks = isMissing(obstacleToNetworks());

describeOnBothDatabases('a service with stuck clients', (_open, { prepare }) => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.kill());

  test('ends soon after SIGTERM, with all answered that it had taken on', async () => {
    const config = await prepare();
    await prepareLedger(config);
    const options = { ...config, args: ['--empty', '--host', '0.0.0.0', '--drain-seconds', '2'] };
    service = await startService(options);
    const port = Number(new URL(service.url).port);
    const client = new ServiceClient(`http://127.0.0.1:${port}`);
    await client.signIn(USERNAME, PASSWORD);
    const head = (first: string, headers: Readonly<Record<string, string>> = {}) => {
      const all = { Host: 'localhost', Cookie: client.cookie, ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      return `${first} HTTP/1.1\r\n${lines.join('')}\r\n`;
    };
    const open = async (text: string) => {
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(text);
      return socket;
    };

    // Half a head, half a body, nothing at all.
    await open(`GET ${BASE}${ARCHIVE}/index HTTP/1.1\r\nHost: x\r\n`);
    const json = { 'Content-Type': 'application/json' };
    const patch = (id: number) => `PATCH ${BASE}${ARCHIVE}/documents/${id}/indexdata`;
    await open(`${head(patch(1), { ...json, 'Content-Length': '1000' })}{"indexFields":[`);
    await open('');
    // A large answer that nobody takes.
    const form = new FormData();
    form.set('files[0]', new Blob([new Uint8Array(LARGE)]), 'large.bin');
    const added = await client.send({ method: 'POST', path: `${ARCHIVE}/documents`, form });
    expect(added.status).toBe(201);
    const path = `${BASE}${ARCHIVE}/documents/${REVISIONS + 1}/file`;
    const deaf = get({ port, path, headers: { cookie: client.cookie }, agent: false });
    deaf.on('error', () => undefined);
    const [untaken]: IncomingMessage[] = await once(deaf, 'response');
    expect(untaken?.statusCode).toBe(200);
    onTestFinished(() => void deaf.destroy());
    // Streams of events: one that is heard, one that is not, one whose client is cut off from the network.
    const hearing = await openEventStream(port, client);
    const unheard = await openEventStream(port, client);
    unheard.response.socket.pause();
    if (!withoutNetworks) {
      const network = openLostNetwork();
      await network.request(port, head(`GET ${BASE}application/events`));
      network.lose();
    }
    // What is done when it comes.
    const clerks = new Clerks(client);
    const working = clerks.work();
    expect(await eventually(async () => clerks.answered > 20, 20_000)).toBe(true);
    const body = JSON.stringify({ indexFields: [{ name: 'COUNT', value: -77 }] });
    const late = await open(
      head(patch(2), { ...json, 'Content-Length': String(body.length) }) + body.slice(0, 9),
    );
    const received: Buffer[] = [];
    late.on('data', (data) => received.push(data));

    const from = performance.now();
    const stopped = service.stop();
    clerks.killed();
    await setTimeout(4_000);
    expect(service.runs()).toBe(true);
    late.write(body.slice(9));
    const code = await stopped;
    const lasted = performance.now() - from;
    console.log(`ended after ${(lasted / 1000).toFixed(1)} s with ${code}`);
    expect(code).toBe(0);
    expect(lasted).toBeLessThan(LONGEST_END);
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 200 [^]*-77/);
    await working;
    await hearing.ended;
    expect(hearing.response.complete).toBe(true);
    expect(service.log()).not.toMatch(/"level":[56]0/);

    service = await startService(options);
    client.url = service.url.replace('0.0.0.0', '127.0.0.1');
    expect(clerks.answered).toBeGreaterThan(20);
    nothingIsLost(await lossesAndDoubles(client, clerks.attempts));
  });
});
