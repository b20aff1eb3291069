import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { serviceFetch } from '#tests/support/service-fetch.ts';
import { type Dataset, datasetsAnswer, historyAnswer } from '#shared/answers.ts';
import type { Scalar } from '#shared/values.ts';
import { connection } from '#web/api/connection.ts';
import { datasetCalls } from '#web/features/data-grid/datasets.calls.ts';
import { createDesk } from '#web/features/data-grid/desk.ts';
import { cellsOf, type Stored, valueShown } from '#web/features/data-grid/edits.ts';
import { buildColumn } from './columns.ts';

const ROWS = 3;
const INPUTS = [
  { name: 'code', label: 'Code', required: true, unique: true, maxLength: 40 },
  { name: 'name', label: 'Name' },
  { name: 'pieces', label: 'Pieces', type: 'integer' },
];
const COLUMNS = [
  buildColumn('code', { required: true, unique: true, maxLength: 40 }),
  buildColumn('name'),
  buildColumn('pieces', { type: 'integer' }),
];

const row = fc.nat(ROWS - 1);
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      row,
      column: fc.constantFrom('name', 'pieces', 'code'),
      // Codes of other rows are refused, words are no numbers.
      wrong: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('remote' as const),
      row,
      column: fc.constantFrom('name', 'pieces'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'lose-answer' as const,
        'unavailable' as const,
        'away' as const,
        'back' as const,
        'settle' as const,
      ),
    }),
  },
);

test('whatever happens, the grid ends equal to the server and nothing typed is lost', async () => {
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
  let number = 0;

  const read = async (jrids: readonly string[]): Promise<Dataset[]> => {
    const answers = await Promise.all(jrids.map((jrid) => root.get(`${path}/${jrid}`)));
    return answers.flatMap(({ body }) => datasetsAnswer.parse(body).datasets);
  };

  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 25 }), async (actions) => {
      const created = await root.post(path, {
        datasets: Array.from({ length: ROWS }, () => ({ code: `c-${++number}`, name: 'first' })),
      });
      const { datasets } = datasetsAnswer.parse(created.body);
      const jrids = datasets.map(({ jrid }) => jrid);
      const calls = datasetCalls(table.guid);
      const shown = await calls.several(jrids);
      const desk = createDesk(calls, (stored) => shown.set(stored.dataset.jrid, stored));

      const cellOf = (jrid: string, column: string) => `${jrid} ${column}`;
      const typed = new Map<string, string>();
      /** values that stood in a cell when something was done to it */
      const seen = new Set<string>();
      const theirs = new Set<string>();
      const touched = new Set<string>();
      const turns: Promise<unknown>[] = [];
      const look = () => {
        for (const [jrid, { dataset }] of shown) {
          for (const { name } of COLUMNS) seen.add(`${cellOf(jrid, name)} ${dataset[name]}`);
        }
      };
      const settle = async () => {
        service.reach();
        await vi.waitFor(
          async () => {
            window.dispatchEvent(new Event('online'));
            const waits = jrids.some((jrid) =>
              [...cellsOf(desk.get(), jrid).values()].some(({ status }) => status.is === 'waiting'),
            );
            const turned = Promise.all(turns).then(() => true);
            const done = await Promise.race([turned, new Promise((r) => setTimeout(r, 20, false))]);
            if (waits || done !== true) throw new Error('not settled yet');
          },
          { timeout: 20_000, interval: 5 },
        );
      };

      for (const step of actions) {
        const jrid = 'row' in step ? (jrids[step.row] ?? '') : '';
        switch (step.do) {
          case 'type': {
            const column = COLUMNS.find(({ name }) => name === step.column);
            const listed: Stored | undefined = shown.get(jrid);
            if (!column || !listed) throw new Error('There is no such cell.');
            const value = String(++number);
            const other = shown.get(jrids[(step.row + 1) % ROWS] ?? '')?.dataset['code'];
            const wrong = column.name === 'code' ? String(other) : `w-${value}`;
            const text = step.wrong && column.name !== 'name' ? wrong : value;
            const edit = cellsOf(desk.get(), jrid).get(column.name);
            const before = valueShown(edit, listed.dataset[column.name] ?? null);
            look();
            desk.type(jrid, column, text, { seen: before, listed });
            typed.set(cellOf(jrid, column.name), text);
            break;
          }
          case 'undo':
          case 'redo':
            look();
            typed.clear();
            turns.push(desk[step.do](COLUMNS).catch(() => null));
            break;
          case 'remote': {
            const value: Scalar = step.column === 'pieces' ? ++number : `theirs-${++number}`;
            const { status } = await root.put(`${path}/${jrid}`, {
              dataset: { [step.column]: value },
            });
            expect(status).toBe(200);
            theirs.add(`${cellOf(jrid, step.column)} ${value}`);
            touched.add(jrid);
            break;
          }
          case 'lose-answer':
            service.loseAnswerOf('PUT');
            break;
          case 'unavailable':
            service.answerInstead('PUT', unavailable);
            break;
          case 'away':
            service.lose();
            break;
          case 'back':
            service.reach();
            break;
          case 'settle':
            await settle();
            break;
          default:
            step satisfies never;
        }
        await Promise.resolve();
      }
      await settle();

      const now = await read(jrids);
      for (const dataset of now) {
        const { jrid } = dataset;
        // What nobody else has touched stands in the grid as at the server, beside what is marked in it.
        if (!touched.has(jrid)) expect(shown.get(jrid)?.dataset).toEqual(dataset);
        const { body } = await root.get(`${path}/${jrid}/history`);
        const mine = historyAnswer
          .parse(body)
          .history.filter(({ user }) => user === 'clerk')
          .flatMap(({ changes }) => changes);
        for (const { name, before } of mine) {
          const value = `${cellOf(jrid, name)} ${String(before)}`;
          if (theirs.has(value)) expect(seen).toContain(value);
        }
        for (const { name } of COLUMNS) {
          const text = typed.get(cellOf(jrid, name));
          if (text === undefined) continue;
          const edit = cellsOf(desk.get(), jrid).get(name);
          const saved = mine.some(
            (change) => change.name === name && String(change.after) === text,
          );
          const same = datasets.some(
            (first) => first.jrid === jrid && String(first[name]) === text,
          );
          expect(edit?.text === text || saved || same, `${text} in ${name} is lost`).toBe(true);
        }
      }
    }),
    { numRuns: 40, interruptAfterTimeLimit: 25_000 },
  );
}, 120_000);

function unavailable(): Response {
  const body = { code: 'unavailable', errors: {}, requestId: 'r' };
  return new Response(JSON.stringify(body), {
    status: 503,
    headers: { 'Content-Type': 'application/json' },
  });
}
