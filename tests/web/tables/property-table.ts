import { expect, onTestFinished, vi } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { serviceFetch } from '#tests/support/service-fetch.ts';
import { type Dataset, datasetListAnswer } from '#shared/contract/answers.ts';
import { connection } from '#web/api/connection.ts';
import { buildColumn } from './columns.ts';
import { repeated } from '#tests/support/effort.ts';

const INPUTS = [
  { name: 'code', label: 'Code', required: true, unique: true, maxLength: 40 },
  { name: 'name', label: 'Name' },
  { name: 'pieces', label: 'Pieces', type: 'integer' },
];
export const COLUMNS = [
  buildColumn('code', { required: true, unique: true, maxLength: 40 }),
  buildColumn('name'),
  buildColumn('pieces', { type: 'integer' }),
];
/** How many sequences of acts are tried; more to look for what is rare. */
const RUNS = repeated(10);

/**
 * How a property is tried. One that takes so long fails, before the test runner gives up without the counterexample:
 * a run that was cut off has tried fewer cases than it says.
 */
export const TRIES = {
  numRuns: RUNS,
  interruptAfterTimeLimit: RUNS * 10_000,
  markInterruptAsFailure: true,
} as const;

/** Milliseconds for a test of a property. */
export const PROPERTY_TIMEOUT = RUNS * 12_000;

/** A table of the real service, which the web admin's calls reach as a clerk's; `root` looks at it from outside. */
export async function openTable() {
  const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);
  await buildUser(database, { username: 'root', role: 'administrator' });
  const root = await signedIn('root');
  const table = await buildTable(database, INPUTS);
  const path = datasetsPath(table);
  await vi.waitFor(async () => expect((await root.get(path)).status).toBe(200));
  await buildUser(database, { username: 'clerk', rights: [rightOn(table, 'manage')] });
  const service = serviceFetch(app);
  vi.stubGlobal('fetch', service.fetch);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    connection.set('fine');
  });
  await service.signIn('clerk', PASSWORD);
  return {
    root,
    table,
    path,
    service,
    /** All records behind one, which those of the runs before are not. */
    async readBehind(jrid: number): Promise<readonly Dataset[]> {
      const { body } = await root.get(`${path}?limit=1000&where[jrid][gt]=${jrid}`);
      return datasetListAnswer.parse(body).datasets;
    },
  };
}
