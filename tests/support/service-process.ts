import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ServiceOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  /** further arguments of `serve` */
  readonly args?: readonly string[];
  /** further environment variables; nothing that begins with INDEXDESK_ is taken from the tests' own */
  readonly environment?: Readonly<Record<string, string>>;
  /** the TCP port; by default any free one */
  readonly port?: number;
  /** a program and its arguments that starts the service in its own place, such as a tracer */
  readonly under?: readonly string[];
  /** `bin/indexdesk.js` of another checkout */
  readonly program?: string;
  /** how long its start may take, in milliseconds */
  readonly longestStart?: number;
  /** options of node itself */
  readonly nodeOptions?: readonly string[];
}

/** The real service in a process of its own. */
export interface ServiceProcess {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly pid: number;
  /** what it has written to stderr, its log */
  log(): string;
  /** Whether it has not ended. */
  runs(): boolean;
  /** SIGTERM. @returns the exit code, or the name of the signal that ended it */
  stop(): Promise<number | string>;
  /** SIGKILL: nothing of the process's own runs any more. */
  kill(): Promise<void>;
}

const INDEXDESK = fileURLToPath(new URL('../../bin/indexdesk.js', import.meta.url));
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** No load balancer is to be waited for, and a busy machine is no reason to refuse requests. */
export const SETTINGS = {
  INDEXDESK_LOG_LEVEL: 'warn',
  INDEXDESK_DRAIN_SECONDS: '0',
  INDEXDESK_MAX_DELAY_SECONDS: '600',
  INDEXDESK_MAX_WAIT_SECONDS: '600',
  INDEXDESK_MAX_QUERY_SECONDS: '600',
};

/** How long a start usually may take, in milliseconds. */
const MAX_START = 60_000;

/**
 * Starts `serve` and resolves when it has said that it listens.
 * @throws {Error} with what it said where it ends instead, or says nothing for a minute
 */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const serve = ['serve', '--port', String(options.port ?? 0), '--data', options.dataDir];
  const database = options.databaseUrl === undefined ? [] : ['--database-url', options.databaseUrl];
  const [program = '', ...args] = [
    ...(options.under ?? []),
    options.program ?? INDEXDESK,
    ...serve,
    ...database,
    ...(options.args ?? []),
  ];
  const child = spawn(program, args, {
    cwd: PROJECT,
    env: {
      ...ownEnvironment(),
      ...SETTINGS,
      ...options.environment,
      NODE_OPTIONS: (options.nodeOptions ?? []).join(' '),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithTests = () => child.kill('SIGKILL');
  process.once('exit', killWithTests);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const exit = once(child, 'exit').then(([code, signal]) => {
    process.off('exit', killWithTests);
    return typeof code === 'number' ? code : String(signal);
  });

  const said: string[] = [];
  const listening = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    said.push(line);
    const found = /^Indexdesk listening on (http:\S+)$/.exec(line);
    if (found?.[1] !== undefined) listening.resolve(found[1]);
  });
  const late = setTimeout(
    () => listening.reject(new Error('It took too long.')),
    options.longestStart ?? MAX_START,
  );
  exit.then(
    (code) => listening.reject(new Error(`It ended with ${code}.`)),
    (error: unknown) => listening.reject(error),
  );
  let url: string;
  try {
    url = await listening.promise;
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`The service did not start.\n${said.join('\n')}\n${log}`, { cause: error });
  } finally {
    clearTimeout(late);
  }
  const end = (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    return exit;
  };
  return {
    url,
    pid: child.pid ?? 0,
    log: () => log,
    runs: () => child.exitCode === null && child.signalCode === null,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
  };
}

/** The environment without settings of the service and without those of the test runner. */
export function ownEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined || /^(?:INDEXDESK_|VITEST|NODE_OPTIONS$|NODE_ENV$)/.test(name))
      continue;
    environment[name] = value;
  }
  return environment;
}
