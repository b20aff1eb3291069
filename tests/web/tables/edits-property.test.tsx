/** @module-tag slow */
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { datasetsAnswer, historyAnswer } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { openTab, type Tab } from './edit-tab.ts';
import { COLUMNS, openTable, PROPERTY_TIMEOUT, TRIES } from './property-table.ts';

const ROWS = 3;

const row = fc.nat(ROWS - 1);
/** Most is done in one tab. */
const tab = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { arbitrary: fc.constant(1), weight: 1 },
);
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      tab,
      row,
      column: fc.constantFrom('name', 'pieces', 'code'),
      // Codes of other rows are refused, words are no numbers.
      wrong: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('type in a new row' as const),
      tab,
      row: fc.nat(1),
      column: fc.constantFrom('name', 'pieces', 'code', 'code'),
      wrong: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('create' as const), tab, row: fc.nat(1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const), tab }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('remote' as const),
      row,
      column: fc.constantFrom('name', 'pieces'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('hear' as const, 'kill' as const), tab }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'lose-answer' as const,
        'lose-creation' as const,
        'unavailable' as const,
        'away' as const,
        'back' as const,
        'settle' as const,
      ),
    }),
  },
);

test(
  'whatever happens, the grid ends equal to the server and nothing typed is lost',
  async () => {
    const { root, table, path, service, readBehind } = await openTable();
    let number = 0;
    let from = 0;

    /** All records of a run. */
    const readAll = () => readBehind(from);
    const historyOf = async (jrid: string) =>
      historyAnswer.parse((await root.get(`${path}/${jrid}/history`)).body).history;

    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 25 }), async (actions) => {
        const created = await root.post(path, {
          datasets: Array.from({ length: ROWS }, () => ({ code: `c-${++number}`, name: 'first' })),
        });
        const { datasets } = datasetsAnswer.parse(created.body);
        const jrids = datasets.map(({ jrid }) => jrid);
        const open = () => openTab(table.guid, COLUMNS, jrids);
        const tabs: [Tab, Tab] = [await open(), await open()];

        /** values that stood in a cell when something was done to it */
        const seen = new Set<string>();
        const theirs = new Set<string>();
        const cellOf = (jrid: string, column: string) => `${jrid} ${column}`;
        const look = ({ shown }: Tab) => {
          for (const [jrid, { dataset }] of shown) {
            for (const { name } of COLUMNS) seen.add(`${cellOf(jrid, name)} ${dataset[name]}`);
          }
        };
        const settle = async () => {
          service.reach();
          await vi.waitFor(
            async () => {
              window.dispatchEvent(new Event('online'));
              for (const one of tabs)
                if (!(await one.isSettled())) throw new Error('not settled yet');
            },
            { interval: 5 },
          );
        };
        /** What events and a list that is read anew tell a tab. */
        const hearAll = async () => {
          const all = (await readAll()).map(({ jrid }) => jrid);
          for (const one of tabs) await one.hear([...new Set([...all, ...one.shown.keys()])]);
        };

        for (const step of actions) {
          const one = tabs['tab' in step ? (step.tab === 1 ? 1 : 0) : 0];
          switch (step.do) {
            case 'type': {
              const jrid = jrids[step.row] ?? '';
              const value = String(++number);
              const other = one.shown.get(jrids[(step.row + 1) % ROWS] ?? '')?.dataset['code'];
              const wrong = step.column === 'code' ? String(other) : `w-${value}`;
              look(one);
              one.type(jrid, step.column, step.wrong && step.column !== 'name' ? wrong : value);
              break;
            }
            case 'type in a new row': {
              const value = String(++number);
              const wrong = step.column === 'code' ? `c-${number - 1}` : `w-${value}`;
              const text = step.wrong && step.column !== 'name' ? wrong : value;
              one.type(one.newRow(step.row), step.column, text);
              break;
            }
            case 'create':
              void one.create(one.newRow(step.row));
              break;
            case 'undo':
            case 'redo':
              look(one);
              one.turn(step.do);
              break;
            case 'remote': {
              const value: Scalar = step.column === 'pieces' ? ++number : `theirs-${++number}`;
              const jrid = jrids[step.row] ?? '';
              const { status } = await root.put(`${path}/${jrid}`, {
                dataset: { [step.column]: value },
              });
              expect(status).toBe(200);
              theirs.add(`${cellOf(jrid, step.column)} ${value}`);
              break;
            }
            case 'hear':
              // A server that is away tells nothing.
              void one.hear([...one.shown.keys()]).catch(() => undefined);
              break;
            case 'kill': {
              const left = one.kill();
              const heir = await (service.reach(), open());
              heir.resume(left, one.typed, { withSteps: true });
              tabs[step.tab === 1 ? 1 : 0] = heir;
              break;
            }
            case 'lose-answer':
              service.loseAnswerOf('PUT');
              break;
            case 'lose-creation':
              service.loseAnswerOf('POST');
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
        // Every row that can be is created, and both tabs hear what the other did.
        for (const one of tabs) one.leaveNewRows();
        await settle();
        await hearAll();
        await settle();
        await hearAll();

        const now = await readAll();
        for (const one of tabs) {
          for (const dataset of now) expect(one.shown.get(dataset.jrid)?.dataset).toEqual(dataset);
          const there = new Set(now.map(({ jrid }) => jrid));
          for (const jrid of one.shown.keys()) expect(there).toContain(jrid);
        }
        // Neither tab has created a row twice.
        const names = now.flatMap(({ code }) => code);
        expect(new Set(names).size).toBe(names.length);

        const written = new Set<string>();
        for (const one of tabs) for (const jrid of one.known) jrids.push(jrid);
        for (const jrid of new Set([...jrids, ...now.map((one) => one.jrid)])) {
          for (const { user, changes } of await historyOf(jrid)) {
            if (user !== 'clerk') continue;
            for (const { name, before, after } of changes) {
              written.add(`${name} ${String(after)}`);
              const value = `${cellOf(jrid, name)} ${String(before)}`;
              if (theirs.has(value)) expect(seen).toContain(value);
            }
          }
        }
        for (const one of tabs) {
          const standing = one.standing();
          for (const { column, text } of one.typed.values()) {
            const kept = standing.has(`${column} ${text}`) || written.has(`${column} ${text}`);
            const same = datasets.some((first) => String(first[column]) === text);
            expect(kept || same, `${text} in ${column} is lost`).toBe(true);
          }
        }
        from = Math.max(from, ...[...jrids, ...now.map(({ jrid }) => jrid)].map(Number));
      }),
      TRIES,
    );
  },
  PROPERTY_TIMEOUT,
);

function unavailable(): Response {
  const body = { code: 'unavailable', errors: {}, requestId: 'r' };
  return new Response(JSON.stringify(body), {
    status: 503,
    headers: { 'Content-Type': 'application/json' },
  });
}
