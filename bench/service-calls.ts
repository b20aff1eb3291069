import { setTimeout } from 'node:timers/promises';
import { type AnsweredCheck, checksAnswer } from '#shared/contract/check-answers.ts';
import { API, archivePath, tablePath } from './cases/requests.ts';

/** A service, and the headers of a session of its administrator. */
export interface SignedIn {
  readonly url: string;
  readonly headers: { readonly cookie: string };
}

/** How long all checks of a database may be counted before a benchmark gives up, in milliseconds. */
const LONGEST_COUNT = 10 * 60_000;

/** Sends a request to the service. @param path after the version */
export async function call(
  { url, headers }: SignedIn,
  method: string,
  path: string,
  body?: object,
  more: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const answer = await fetch(`${url}${API}${path}`, {
    method,
    headers: { ...headers, ...more, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(said)}`);
  return said;
}

/** The checks of the measured archive or table. @param path of the archive or table */
export async function checksOf(service: SignedIn, path = archivePath): Promise<AnsweredCheck[]> {
  return checksAnswer.parse(await call(service, 'GET', `${path}/checks`.slice(API.length))).checks;
}

/**
 * Resolves when the findings of all checks are counted.
 * @param defined names of checks that must be among them by then
 * @param collections the paths of the archives and tables
 */
export async function allCounted(
  service: SignedIn,
  defined: readonly string[] = [],
  collections = [archivePath, tablePath],
): Promise<void> {
  const until = Date.now() + LONGEST_COUNT;
  for (;;) {
    const checks: AnsweredCheck[] = [];
    for (const path of collections) checks.push(...(await checksOf(service, path)));
    const isThere = defined.every((name) => checks.some((check) => check.name === name));
    const uncounted = checks.filter(({ count }) => count === null);
    if (isThere && uncounted.length === 0) return;
    if (Date.now() > until) {
      throw new Error(`Not counted: ${uncounted.map(({ name }) => name).join(', ')}`);
    }
    await setTimeout(50);
  }
}
