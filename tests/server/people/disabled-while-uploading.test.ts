import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BASE, buildUser, openApp } from '#tests/support/app.ts';
import { archivePath, buildArchive, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { RawClient } from '#tests/support/sockets.ts';

describeOnOneDatabase('a user who is disabled in the middle of an upload', (open) => {
  it('stores nothing, and no part of the file is left', async () => {
    const t = await openApp(open);
    const archive = await buildArchive(t.database, [{ name: 'NAME' }]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    await buildUser(t.database, { username: 'leaving', rights: [rightOn(archive, 'write')] });
    const [root, leaving] = [await t.signedIn('root'), await t.signedIn('leaving')];
    await t.app.listen({ host: '127.0.0.1', port: 0 });
    const { port }: AddressInfo = Object(t.app.server.address());
    const incoming = join(t.config.dataDir, 'files', 'incoming');
    const received = () => readdir(incoming).catch((): string[] => []);

    const { body, headers } = formOf([['files[0]', { name: 'a.bin', bytes: 'x'.repeat(300_000) }]]);
    const text = body.toString('latin1');
    const half = text.length / 2;
    const raw = await RawClient.open(port);
    raw.send(
      `POST ${BASE}${archivePath(archive)}/documents`,
      [
        `Cookie: ${leaving.cookie}`,
        `Content-Type: ${headers['content-type']}`,
        `Content-Length: ${text.length}`,
      ],
      text.slice(0, half),
    );
    await expect.poll(received).toHaveLength(1);
    const disabled = await root.patch('configuration/users/leaving', { user: { active: false } });
    expect(disabled.status).toBe(200);
    raw.socket.write(text.slice(half));
    expect(await raw.answer()).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    await expect.poll(received).toEqual([]);
    const { body: list } = await root.get(`${archivePath(archive)}/index`);
    expect(list).toMatchObject({ archivedocuments: [] });
  });
});
