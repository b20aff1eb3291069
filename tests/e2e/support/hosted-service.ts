import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { ownEnvironment } from '#tests/support/service-process.ts';

/** What this process asks the host for. */
export type Question =
  | { readonly kind: 'run'; readonly args: readonly string[] }
  | {
      readonly kind: 'open';
      readonly dataDir: string;
      /** of PostgreSQL; undefined: SQLite */
      readonly databaseUrl: string | undefined;
      readonly port: number;
      readonly environment: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'close' };

/** The result, or why there is none. */
const answerSchema = z.union([z.object({ result: z.string() }), z.object({ error: z.string() })]);
export type Answer = z.infer<typeof answerSchema>;

const HOST = fileURLToPath(new URL('service-host.ts', import.meta.url));

/** The host of this worker of Playwright, for all spec files that it runs. */
let host: ChildProcess | undefined;
let log = '';

function startHost(): ChildProcess {
  const started = fork(HOST, { execArgv: [], env: ownEnvironment(), silent: true });
  started.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text));
  const killWithTests = () => started.kill('SIGKILL');
  process.once('exit', killWithTests);
  started.once('exit', () => {
    process.off('exit', killWithTests);
    if (host === started) host = undefined;
  });
  return started;
}

/**
 * Has the host do something.
 * @throws {Error} with what it said where it fails
 */
async function ask(question: Question): Promise<string> {
  host ??= startHost();
  const asked = host;
  const ended = new AbortController();
  const end = once(asked, 'exit', { signal: ended.signal }).then(() => {
    throw new Error(`The host of the service has ended.\n${log}`);
  });
  try {
    asked.send(question);
    const [message] = await Promise.race([once(asked, 'message', { signal: ended.signal }), end]);
    const answer = answerSchema.parse(message);
    if ('error' in answer) throw new Error(`${answer.error}\n${log}`);
    return answer.result;
  } finally {
    ended.abort();
    end.catch(() => undefined);
  }
}

/**
 * Runs a command of Indexdesk to its end.
 * @throws {Error} with what it said where it fails
 */
export async function runInHost(args: readonly string[]): Promise<void> {
  await ask({ kind: 'run', args });
}

/** Opens the service of a spec file; there is one at a time. @returns its address */
export async function openService(question: Omit<Question & { kind: 'open' }, 'kind'>) {
  log = '';
  return ask({ kind: 'open', ...question });
}

export async function closeService(): Promise<void> {
  if (host) await ask({ kind: 'close' });
}

/** SIGKILL, as when the machine is switched off: nothing of the service runs any more. */
export async function killService(): Promise<void> {
  if (!host) return;
  const exit = once(host, 'exit');
  host.kill('SIGKILL');
  await exit;
}
