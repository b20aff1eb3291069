import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService } from '#tests/support/service-process.ts';
import { Clerks } from './clerks.ts';
import { prepareLedger, USERNAME } from './ledger-content.ts';
import { nothingIsLost } from './losses.ts';
import { findViolations, type AnsweredWrite } from './order-of-syncs.ts';
import { obstacleToTracing, readTrace, tracedInto } from './tracing.ts';

// The page cache outlives a killed process, so killing it does not show what a power cut would.

/** How many writes are watched each time. */
const WRITES = 80;

describe.skipIf(isMissing(obstacleToTracing()))('what is on the disk when an answer leaves', () => {
  test('answers leave after the sync of their commit and files', async () => {
    const { calls, writes } = await traceWrites([]);
    expect(writes.filter(({ withFile }) => withFile).length).toBeGreaterThan(0);
    nothingIsLost(findViolations(calls, writes));
  });

  test('commits that are not synced are noticed', async () => {
    const { calls, writes } = await traceWrites(['without-commit-sync.ts']);
    const tokens = findViolations(calls, writes).map(
      ({ rule, token }) => rule === 'commit' && token,
    );
    expect(tokens).toEqual(writes.map(({ token }) => token));
  });

  test('files and directories that are not synced are noticed', async () => {
    const { calls, writes } = await traceWrites(['without-file-sync.ts']);
    const violations = findViolations(calls, writes);
    const withFile = writes.filter((write) => write.withFile).map(({ token }) => token);
    for (const rule of ['file', 'directory'] as const) {
      const tokens = violations
        .filter((violation) => violation.rule === rule)
        .map(({ token }) => token);
      expect(new Set(tokens)).toEqual(new Set(withFile));
    }
    expect(violations.filter(({ rule }) => rule === 'commit')).toEqual([]);
  });
});

/** Lets 16 clients write to the real service, watched. @param loadedBefore modules that change it */
async function traceWrites(loadedBefore: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-trace-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const dataDir = join(folder, 'data');
  const log = join(folder, 'trace');
  await prepareLedger({ dataDir });
  const service = await startService({
    dataDir,
    args: ['--empty'],
    under: tracedInto(log),
    nodeOptions: loadedBefore.map(
      (name) => `--import=${fileURLToPath(new URL(name, import.meta.url))}`,
    ),
  });
  const clerks = await (async () => {
    try {
      const client = new ServiceClient(service.url);
      await client.signIn(USERNAME, PASSWORD);
      const clerks = new Clerks(client);
      await clerks.write(WRITES);
      return clerks;
    } finally {
      await service.stop();
    }
  })();
  const writes: AnsweredWrite[] = clerks.attempts
    .filter(({ ids }) => ids !== null)
    .map(({ token, kind }) => ({ token, withFile: kind === 'document' }));
  return { calls: await readTrace(log, service.pid), writes };
}
