import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService } from '#tests/support/service-process.ts';
import { ARCHIVE, prepareLedger, REVISIONS, USERNAME } from './ledger-content.ts';
import { nothingIsLost } from './losses.ts';
import { readState, tokensOf } from './stored-state.ts';
import { obstacleToTracing } from './tracing.ts';

/** Lets calls of the system fail now and then, once the service stands. */
const FAULTS = {
  'an error of the disk on fsync': 'inject=fsync,fdatasync:error=EIO:when=50+7',
  'no space on writing': 'inject=pwrite64:error=ENOSPC:when=400+41',
};

describe.skipIf(isMissing(obstacleToTracing()))(
  'a write that is answered is kept, and one that fails is told',
  () => {
    test.each(Object.entries(FAULTS))(
      'with %s',
      async (_, fault) => {
        const folder = await mkdtemp(join(tmpdir(), 'indexdesk-faults-'));
        onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
        const dataDir = join(folder, 'data');
        await prepareLedger({ dataDir });
        const under = ['/usr/bin/strace', '-D', '-f', '-qq', '-o', '/dev/null', '-e', fault];
        const failing = await startService({ dataDir, under });
        const client = new ServiceClient(failing.url);
        const answered: string[] = [];
        const statuses = new Set<number>();
        try {
          await client.signIn(USERNAME, PASSWORD);
          for (let i = 0; i < REVISIONS; i += 1) {
            const token = `token-${i}`;
            const { status, bytes } = await client.send({
              method: 'PATCH',
              path: `${ARCHIVE}/documents/${i + 1}/indexdata`,
              json: { indexFields: [{ name: 'TOKEN', value: token }] },
            });
            statuses.add(status);
            if (status === 200) answered.push(token);
            else
              expect(bytes.toString()).toMatch(/^\{"code":"unavailable".*The disk of the service/);
          }
          const shown = await client.send({ method: 'GET', path: `${ARCHIVE}/index/count` });
          expect(shown.body).toEqual({ count: REVISIONS });
        } finally {
          await failing.kill();
        }
        expect(statuses).toEqual(new Set([200, 503]));
        const whole = await startService({ dataDir });
        try {
          client.url = whole.url;
          const kept = tokensOf(await readState(client));
          nothingIsLost(answered.filter((token) => !kept.has(token)));
        } finally {
          await whole.stop();
        }
      },
      120_000,
    );
  },
);
