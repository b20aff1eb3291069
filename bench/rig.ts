import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { startChild } from './child.ts';
import { ON_SERVICE_CORE } from './cores.ts';
import { loadSchema, type Job, type Load } from './load/job.ts';
import { ROUNDS, SECONDS } from './settings.ts';

const PASSWORD = 'correct horse battery';
export const API = '/api/rest/v2';

/** The service on its core, with a session of its administrator. */
export interface MeasuredService {
  readonly process: ServiceProcess;
  readonly url: string;
  readonly headers: { readonly cookie: string };
}

/** Starts the service on a copy of a data directory. */
export async function startMeasured(
  options: Pick<Parameters<typeof startService>[0], 'dataDir' | 'databaseUrl'>,
): Promise<MeasuredService> {
  const process = await startService({
    ...options,
    under: ON_SERVICE_CORE,
    environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
    longestStart: 120_000,
  });
  const answer = await fetch(`${process.url}${API}/application/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  if (answer.status !== 201) throw new Error(`Nobody can sign in: ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie().map((set) => set.split(';')[0] ?? '');
  return { process, url: process.url, headers: { cookie: cookie.join('; ') } };
}

/** The load generator, a process of its own. */
export interface Generator {
  run(job: Omit<Job, 'seconds'> & { readonly seconds?: number }): Promise<Load>;
  stop(): Promise<void>;
}

export function startGenerator(): Generator {
  const child = startChild('load/generator.ts');
  return {
    run: async (job) => loadSchema.parse(await child.ask({ seconds: SECONDS, ...job })),
    stop: () => child.stop(),
  };
}

/** Measures things that are to be compared in turn, round by round, after one round that does not count. */
export async function inRounds<Round>(measure: () => Promise<Round>): Promise<Round[]> {
  await measure();
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) rounds.push(await measure());
  return rounds;
}
