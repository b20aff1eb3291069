import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { buildFolder } from '#tests/support/load.ts';

const PROJECT = resolve(import.meta.dirname, '..', '..', '..');

test(
  'serves both halves from their sources, restarts the service, and ends both',
  { tags: ['long'] },
  async () => {
    const child = spawn(process.execPath, [join(PROJECT, 'scripts/dev.ts')], {
      env: {
        PATH: process.env['PATH'],
        INDEXDESK_DATA: join(buildFolder(), 'data'),
        INDEXDESK_EMPTY: 'true',
        INDEXDESK_ADMIN_PASSWORD: 'correct horse battery',
        INDEXDESK_DEV_PORT: String(await freePort()),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGTERM'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const nextLine = async () => String((await lines.next()).value);

    const [, address = '', password] =
      /^Open (http\S+) and sign in as admin with the password: (.+)$/.exec(await nextLine()) ?? [];
    expect(password).toBe('correct horse battery');
    expect(await nextLine()).toContain('Ctrl+C ends both.');
    expect(await (await fetch(address)).text()).toContain('/src/web/main.tsx');
    const signIn = () =>
      fetch(new URL('/api/rest/v2/application/sessions', address), {
        method: 'POST',
        // As a browser sends it.
        headers: { 'content-type': 'application/json', origin: new URL(address).origin },
        body: JSON.stringify({ username: 'admin', password }),
      });
    expect((await signIn()).status).toBe(201);

    const now = new Date();
    await utimes(join(PROJECT, 'src/server/app.ts'), now, now);
    // Vite may have said something between.
    for (let line = ''; line !== 'The service has restarted.'; line = await nextLine()) {
      expect(line).not.toBe('undefined');
    }
    expect((await signIn()).status).toBe(201);

    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  },
);
