import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Dataset, datasetsAnswer } from '#shared/contract/answers.ts';
import { openTab } from './edit-tab.ts';
import { COLUMNS, openTable, PROPERTY_TIMEOUT, TRIES } from './property-table.ts';
import { stepsModel } from './steps-model.ts';

const ROWS = 3;
const NAMES = ['code', 'name', 'pieces'];

const row = fc.nat(ROWS);
const column = fc.constantFrom('name', 'pieces');
/** Whether the tab is killed before anything of it is answered. */
const killed = fc.constantFrom(false, false, false, true);
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      row,
      column,
      wrong: fc.boolean(),
      killed,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('type in a new row' as const),
      column: fc.constantFrom('code', 'name', 'pieces'),
      wrong: fc.constantFrom(false, false, true),
      killed,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      column,
      withNew: fc.boolean(),
      killed,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), killed }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), row }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remote' as const), row, column }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('type in another tab' as const), row, column, killed }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close the other tab' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('lose' as const),
      answerOf: fc.constantFrom('PUT' as const, 'POST' as const),
    }),
  },
);

type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** Undoes what was typed and cannot be read, over what another has put there meanwhile (seed -557924989, path 28). */
const OVERTAKEN: Action[] = [
  { do: 'type', row: 2, column: 'pieces', wrong: true, killed: false },
  { do: 'type in another tab', row: 2, column: 'pieces', killed: false },
  { do: 'remote', row: 2, column: 'pieces' },
  { do: 'redo' },
  { do: 'undo' },
  { do: 'type in another tab', row: 2, column: 'name', killed: false },
  { do: 'fill', column: 'name', withNew: true, killed: false },
  { do: 'type', row: 0, column: 'pieces', wrong: false, killed: true },
  { do: 'fill', column: 'name', withNew: false, killed: true },
  { do: 'undo' },
];

/** Undoes filling records and a row that is created after it (seed -1177612029, path 9). */
const FILLED_BEFORE_CREATION: Action[] = [
  { do: 'type in a new row', column: 'code', wrong: false, killed: false },
  { do: 'fill', column: 'name', withNew: true, killed: false },
  { do: 'type', row: 0, column: 'name', wrong: false, killed: true },
  { do: 'undo' },
  { do: 'undo' },
  { do: 'redo' },
];

test(
  'through any undo and redo the grid and the service hold exactly what the steps come to',
  { timeout: PROPERTY_TIMEOUT, tags: ['long'] },
  async () => {
    const { root, table, path, service, readBehind } = await openTable();
    let number = 0;
    let from = 0;
    const readAll = () => readBehind(from);

    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 16 }), async (actions) => {
        const { body } = await root.post(path, {
          datasets: Array.from({ length: ROWS }, () => ({ code: `c-${++number}`, name: 'first' })),
        });
        const first = datasetsAnswer.parse(body).datasets;
        const jrids = first.map(({ jrid }) => jrid);
        // Those of the runs before are none of this one's.
        from = Number(jrids[0]) - 1;
        const model = stepsModel(NAMES);
        for (const { jrid, ...values } of first) model.add(jrid, values);
        let tab = await openTab(table.guid, COLUMNS, jrids);
        let other = await openTab(table.guid, COLUMNS, jrids);
        /** the rows of the tab that are not created, by what the model calls them */
        let composed: string | null = null;

        const settle = () =>
          vi.waitFor(
            async () => {
              window.dispatchEvent(new Event('online'));
              for (const one of [tab, other])
                if (!(await one.isSettled())) throw new Error('not settled yet');
            },
            { interval: 2 },
          );
        /** whether rows that can be created are, by what was just done */
        let sendsRows = false;
        const reload = async () => {
          sendsRows = true;
          const left = tab.kill();
          const now = await readAll();
          const all = now.map(({ jrid }) => jrid);
          tab = await openTab(table.guid, COLUMNS, all);
          tab.resume(left, new Map(), { withSteps: true });
        };
        const closeOther = async () => {
          sendsRows = true;
          const left = other.kill();
          tab.resume(left, new Map(), { withSteps: false });
          const now = await readAll();
          const all = now.map(({ jrid }) => jrid);
          other = await openTab(table.guid, COLUMNS, all);
        };
        const existing = (at: number) => [...model.rows.keys()].filter(isRecord).at(at);
        const numberOf = (now: readonly Dataset[], code: unknown) =>
          now.find((one) => one['code'] === code)?.jrid ?? 'none';

        for (const step of actions) {
          sendsRows = step.do === 'create';
          switch (step.do) {
            case 'type': {
              const jrid = existing(step.row);
              if (jrid === undefined) break;
              const wrong = step.wrong && step.column === 'pieces';
              const text = wrong ? `w${++number}` : String(++number);
              tab.type(jrid, step.column, text);
              const to = wrong ? `?${text}` : step.column === 'pieces' ? number : text;
              model.write([{ row: jrid, column: step.column, to }]);
              break;
            }
            case 'type in a new row': {
              const wrong = step.wrong && step.column === 'pieces';
              const text = wrong ? `w${++number}` : String(++number);
              composed = [...model.rows.keys()].find((id) => !isRecord(id)) ?? `new ${number}`;
              tab.type(tab.rows()[0] ?? tab.newRow(Infinity), step.column, text);
              const to = wrong ? `?${text}` : step.column === 'pieces' ? number : text;
              model.write([{ row: composed, column: step.column, to }]);
              break;
            }
            case 'fill': {
              const ids = [...model.rows.keys()].filter((id) => isRecord(id) || step.withNew);
              const value = step.column === 'pieces' ? ++number : String(++number);
              const keys = ids.flatMap((id) => (isRecord(id) ? id : tab.rows().slice(0, 1)));
              if (keys.length === 0) break;
              tab.fill(keys, step.column, value);
              model.write(ids.map((id) => ({ row: id, column: step.column, to: value })));
              break;
            }
            case 'create':
              for (const key of tab.rows()) void tab.create(key);
              break;
            case 'delete': {
              const jrid = existing(step.row);
              if (jrid === undefined) break;
              await tab.delete(jrid);
              model.deleted(jrid);
              break;
            }
            case 'undo':
            case 'redo': {
              tab.turn(step.do);
              await settle();
              const now = await readAll();
              model.turn(step.do, ({ code }) => numberOf(now, code));
              break;
            }
            case 'remote': {
              const jrid = existing(step.row);
              if (jrid === undefined) break;
              const value = step.column === 'pieces' ? ++number : `theirs-${++number}`;
              await root.put(`${path}/${jrid}`, { dataset: { [step.column]: value } });
              model.remote(jrid, step.column, value);
              break;
            }
            case 'reload': {
              await reload();
              break;
            }
            case 'type in another tab': {
              const jrid = existing(step.row);
              if (jrid === undefined) break;
              await other.hear([
                ...new Set([...model.rows.keys(), ...other.shown.keys()].filter(isRecord)),
              ]);
              const value = step.column === 'pieces' ? ++number : String(++number);
              other.type(jrid, step.column, String(value));
              // What both have typed into a cell is another matter.
              const isResumed = step.killed && !model.isOver(jrid, step.column);
              model.writtenBeside(jrid, step.column, value, isResumed);
              if (isResumed) await closeOther();
              break;
            }
            case 'close the other tab':
              await closeOther();
              break;
            case 'lose':
              service.loseAnswerOf(step.answerOf);
              break;
            default:
              step satisfies never;
          }
          const isKilled = 'killed' in step && step.killed && step.do !== 'type in another tab';
          if (isKilled) await reload();
          await settle();
          const now = await readAll();
          if (sendsRows) {
            const whole = [...model.rows.keys()].find((id) => model.isWhole(id));
            if (whole !== undefined) {
              model.created(whole, numberOf(now, model.contentOf(whole, 'code')));
            }
          }
          if (isKilled || !['type', 'type in a new row', 'fill', 'lose'].includes(step.do)) {
            await tab.hear([...new Set([...now.map(({ jrid }) => jrid), ...tab.shown.keys()])]);
            await settle();
          }

          const shownBy = (content: (name: string) => unknown) => NAMES.map(content);
          const expected = [...model.rows].map(([id]) => shownBy((at) => model.contentOf(id, at)));
          const rows = [...tab.shown.keys(), ...tab.rows()];
          const found = rows.map((key) => shownBy((at) => tab.content(key, at)));
          const isAny = (contents: readonly unknown[]) => contents.some((one) => one !== null);
          expect(found.filter(isAny).toSorted(byText)).toEqual(expected.toSorted(byText));
          const stored = [...model.rows].flatMap(([jrid, one]) =>
            one.stored ? [[jrid, ...shownBy((name) => one.stored?.[name] ?? null)]] : [],
          );
          expect(now.map((one) => [one.jrid, ...shownBy((name) => one[name])])).toEqual(
            stored.toSorted(([a], [b]) => Number(a) - Number(b)),
          );
        }
      }),
      { ...TRIES, examples: [[OVERTAKEN], [FILLED_BEFORE_CREATION]] },
    );
  },
);

function isRecord(id: string): boolean {
  return !id.startsWith('new');
}

function byText(one: readonly unknown[], other: readonly unknown[]): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
