import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { FIGURE_GOALS } from './figure-goals.ts';
import { drawGoals, type ChartRow } from './how-fast-chart.ts';

const PROJECT = join(import.meta.dirname, '..');
const START = '<!-- npm run bench -- readme -->';
const END = '<!-- /npm run bench -- readme -->';

const figures = z.record(z.string(), z.number());
const rowSchema = z.object({
  what: z.string(),
  size: z.number(),
  connections: z.number().nullable(),
  unit: z.enum(['per s', 'ms', 'MB', 'KB']),
  value: z.number(),
  floors: figures,
  more: figures.optional(),
  line: z.string().optional(),
  constant: z.boolean().optional(),
  growth: z.number().optional(),
  goal: z.object({ says: z.string(), met: z.boolean() }).optional(),
});
type KeptRow = z.infer<typeof rowSchema>;
const keptSchema = z.object({
  name: z.string(),
  at: z.string(),
  machine: z.string(),
  figures,
  rows: z.array(rowSchema).default([]),
});
type Kept = z.infer<typeof keptSchema>;

/** One goal with what was measured; the cells of the table as Markdown. */
interface Line {
  readonly says: string;
  readonly rows: string;
  readonly measured: string;
  readonly floors: string;
  readonly goal: string;
  readonly isMet: boolean;
  /** of those that count several figures, how many are met */
  readonly of?: string;
  readonly chart?: Pick<ChartRow, 'milliseconds' | 'goal'> | undefined;
}

/** What the picture shows of it: the lines by the beginnings of their names, and what the picture calls them. */
const IN_PICTURE: readonly (readonly [start: string, label: string])[] = [
  ['page of 50 at 50 a second: first', 'Page of a list, 50 requests a second'],
  ['any of these lists on PostgreSQL', 'Slowest of all lists, on PostgreSQL'],
  ['search by words', 'Search by words or parts of words, p95'],
  ['a key until it is painted', 'Key pressed in the grid until painted, p95'],
  ['jump to any row', 'Jump to any row of the grid, p95'],
  ['save and next', 'Save and open the next revision, p95'],
  ['single saves meanwhile', 'Save beside a bulk edit of 100,000, p95'],
  ['save beside an export', 'Save beside an export and 20 readers, p99'],
  ['until archive can be used', 'Open an archive, nothing cached'],
  ['grid of 1,000,000 records', 'Open a table in the grid'],
  ['start until it listens', 'Start of the service'],
  ['PATCH 10000 revisions', 'Correct 10,000 revisions in one call'],
];

/** What the pages say of the stored results, and the rows of the picture. */
interface HowFast {
  /** the first line of the block in docs/how-fast.md, and the block in the README */
  readonly summary: string;
  /** the lines of the table in docs/how-fast.md */
  readonly table: readonly string[];
  readonly chart: readonly ChartRow[];
}

/** Writes the table of docs/how-fast.md, its picture, and what the README says of both, from the stored results. */
export async function writeHowFast(results: string): Promise<void> {
  const { summary, table, chart } = await describeResults(results);
  await replaceBlock('docs/how-fast.md', [summary, '', ...table]);
  await replaceBlock('README.md', [summary]);
  await writeFile(join(PROJECT, 'docs/images/how-fast.svg'), drawGoals(chart));
}

/** @param results the folder of the stored results */
export async function describeResults(results: string): Promise<HowFast> {
  const kept: Kept[] = [];
  for (const name of (await readdir(results)).toSorted()) {
    kept.push(keptSchema.parse(JSON.parse(await readFile(join(results, name), 'utf8'))));
  }
  const withGoals = kept.filter(
    (one) => one.name in FIGURE_GOALS || one.rows.some(({ goal }) => goal),
  );
  const days = withGoals.map(({ at }) => at.slice(0, 10)).toSorted();
  const machines = [...new Set(withGoals.map(({ machine }) => machine))].join('; ');
  const measured = days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`;
  const lines = [
    ...linesOf(kept.flatMap(({ rows }) => ofGreatest(rows))),
    ...growthOf(kept.flatMap(({ rows }) => rows)),
    ...kept.flatMap(figuresOf),
  ];
  const met = lines.filter(({ isMet }) => isMet).length;
  const table = [
    '| | rows | measured | floors | goal | |',
    '|---|---|---|---|---|---|',
    ...lines.map(
      ({ says, rows, measured, floors, goal, isMet, of = '' }) =>
        `| ${[says, rows, measured, floors, goal, isMet ? 'met' : `not met${of}`].join(' | ')} |`,
    ),
  ];
  const chart = IN_PICTURE.flatMap(([start, label]) => {
    const line = lines.find(({ says }) => says.startsWith(start));
    if (!line?.chart) throw new Error(`The results hold no line in milliseconds: ${start}`);
    return [{ label, ...line.chart, isMet: line.isMet }];
  });
  const summary = `Measured ${measured} on ${machines}. ${met} of ${lines.length} goals are met.`;
  return { summary, table, chart };
}

/** Replaces what stands between the two marks of a page. */
async function replaceBlock(page: string, lines: readonly string[]): Promise<void> {
  const path = join(PROJECT, page);
  const text = await readFile(path, 'utf8');
  const [before, after] = [text.split(START)[0], text.split(END)[1]];
  if (before === undefined || after === undefined) throw new Error(`${page} has no ${START}.`);
  await writeFile(path, `${before}${[START, ...lines, END].join('\n')}${after}`);
}

/** The time of a goal written as `p50 ≤ 5 ms` or `< 1 s`, in milliseconds. */
function millisecondsIn(says: string): number | undefined {
  const [, figure, unit] = /[≤<] ([\d.,]+) (ms|s)\b/.exec(says) ?? [];
  if (figure === undefined) return undefined;
  return Number(figure.replaceAll(',', '')) * (unit === 's' ? 1000 : 1);
}

/** The rows of a case at the greatest size at which it was measured. */
function ofGreatest(rows: readonly KeptRow[]): KeptRow[] {
  const greatest = Math.max(...rows.map(({ size }) => size));
  return rows.filter(({ size }) => size === greatest || size === 0);
}

/** One line for each goal, or for each row with one. */
function linesOf(rows: readonly KeptRow[]): Line[] {
  const wanted = rows.filter(({ goal }) => goal);
  const lines = Map.groupBy(
    wanted,
    ({ line, what, connections }) => line ?? nameOf(what, connections),
  );
  return [...lines].flatMap(([name, rows]) => {
    const slowest = rows.toSorted((a, b) => b.value - a.value)[0];
    if (!slowest?.goal) return [];
    const met = rows.filter(({ goal }) => goal?.met).length;
    const { goal, unit, value, more = {} } = slowest;
    const most = unit === 'ms' ? millisecondsIn(goal.says) : undefined;
    const isOfP95 = goal.says.startsWith('p95');
    return [
      {
        says: rows.length === 1 ? name : `${name}; the slowest: ${slowest.what}`,
        rows: slowest.size === 0 ? '' : slowest.size.toLocaleString('en'),
        measured: `${value} ${unit}${figuresText(toShow(more), '; ')}`,
        floors: figuresText(slowest.floors, ''),
        goal: goal.says,
        isMet: met === rows.length,
        of: rows.length === 1 ? '' : ` (${met} of ${rows.length})`,
        chart:
          most === undefined
            ? undefined
            : { milliseconds: isOfP95 ? (more['p95'] ?? value) : value, goal: most },
      },
    ];
  });
}

/** Ratios to floors and what few wait for; the rest stands in the kept results. */
const toShow = (more: KeptRow['floors']) =>
  Object.fromEntries(Object.entries(more).filter(([name]) => /^(?:×|p9)/.test(name)));

const nameOf = (what: string, connections: number | null) =>
  connections === null || connections === 1 ? what : `${what}, ${connections} connections`;

/** What should hardly grow: by how much it does, for ten times the rows. */
function growthOf(rows: readonly KeptRow[]): Line[] {
  const grown = rows
    .filter(({ constant }) => constant)
    .flatMap((row) => (row.growth === undefined ? [] : [{ ...row, times: 10 ** row.growth }]))
    .toSorted((a, b) => b.times - a.times);
  const [most] = grown;
  if (!most) return [];
  const met = grown.filter(({ times }) => times <= 1.3).length;
  return [
    {
      says: `growth of lists by key, saves and searches; the most: ${most.what}`,
      rows: '× 10',
      measured: `${most.times.toFixed(2)} times the time`,
      floors: '',
      goal: '≤ 1.3 times',
      isMet: met === grown.length,
      of: ` (${met} of ${grown.length})`,
    },
  ];
}

/** One line for each figure with a goal that was measured. */
function figuresOf({ name, figures }: Kept): Line[] {
  return (FIGURE_GOALS[name] ?? []).flatMap(({ name, says, unit, most }) => {
    const figure = figures[name];
    if (figure === undefined) return [];
    return [
      {
        says,
        rows: '',
        measured: `${figure.toLocaleString('en')} ${unit}`,
        floors: '',
        goal: `≤ ${most.toLocaleString('en')} ${unit}`,
        isMet: figure <= most,
        chart: unit === 'ms' ? { milliseconds: figure, goal: most } : undefined,
      },
    ];
  });
}

function figuresText(figures: Readonly<Record<string, number>>, before: string): string {
  const list = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`);
  return list.length === 0 ? '' : before + list.join(', ');
}
