import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { FIGURE_GOALS } from './figure-goals.ts';

const README = join(import.meta.dirname, '..', 'README.md');
const START = '<!-- how fast: npm run bench -- readme -->';
const END = '<!-- /how fast -->';

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

/** Writes the table of the README's "How fast" from the kept results: each goal with its figure at the greatest size of its case. */
export async function writeHowFast(results: string): Promise<void> {
  const kept: Kept[] = [];
  for (const name of (await readdir(results)).toSorted()) {
    kept.push(keptSchema.parse(JSON.parse(await readFile(join(results, name), 'utf8'))));
  }
  const rows = kept.flatMap(({ rows }) => rows);
  const withGoals = kept.filter(
    (one) => one.name in FIGURE_GOALS || one.rows.some(({ goal }) => goal),
  );
  const days = withGoals.map(({ at }) => at.slice(0, 10)).toSorted();
  const machines = [...new Set(withGoals.map(({ machine }) => machine))].join('; ');
  const measured = days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`;
  const text = [
    START,
    `Measured ${measured} on ${machines}, by \`npm run bench\`. What each floor is, and what each figure means to a`,
    'clerk, stands in [bench/README.md](bench/README.md).',
    '',
    '| | rows | measured | floors | goal | |',
    '|---|---|---|---|---|---|',
    ...linesOf(kept.flatMap(({ rows }) => ofGreatest(rows))),
    ...growthOf(rows),
    ...kept.flatMap(figuresOf),
    END,
  ].join('\n');
  const readme = await readFile(README, 'utf8');
  const [before, after] = [readme.split(START)[0], readme.split(END)[1]];
  if (before === undefined || after === undefined) throw new Error(`${README} has no ${START}.`);
  await writeFile(README, `${before}${text}${after}`);
}

/** The rows of a case at the greatest size at which it was measured. */
function ofGreatest(rows: readonly KeptRow[]): KeptRow[] {
  const greatest = Math.max(...rows.map(({ size }) => size));
  return rows.filter(({ size }) => size === greatest || size === 0);
}

/** One line for each goal, or for each row with one. */
function linesOf(rows: readonly KeptRow[]): string[] {
  const wanted = rows.filter(({ goal }) => goal);
  const lines = Map.groupBy(
    wanted,
    ({ line, what, connections }) => line ?? nameOf(what, connections),
  );
  return [...lines].flatMap(([name, rows]) => {
    const slowest = rows.toSorted((a, b) => b.value - a.value)[0];
    if (!slowest?.goal) return [];
    const met = rows.filter(({ goal }) => goal?.met).length;
    const of = rows.length === 1 ? '' : ` (${met} of ${rows.length})`;
    return lineOf([
      rows.length === 1 ? name : `${name}; the slowest: ${slowest.what}`,
      slowest.size === 0 ? '' : slowest.size.toLocaleString('en'),
      `${slowest.value} ${slowest.unit}${told(toShow(slowest.more ?? {}), '; ')}`,
      told(slowest.floors, ''),
      slowest.goal.says,
      met === rows.length ? 'met' : `not met${of}`,
    ]);
  });
}

/** Ratios to floors and what few wait for; the rest stands in the kept results. */
const toShow = (more: KeptRow['floors']) =>
  Object.fromEntries(Object.entries(more).filter(([name]) => /^(?:×|p9)/.test(name)));

const nameOf = (what: string, connections: number | null) =>
  connections === null || connections === 1 ? what : `${what}, ${connections} connections`;

/** What should hardly grow: by how much it does, for ten times the rows. */
function growthOf(rows: readonly KeptRow[]): string[] {
  const grown = rows
    .filter(({ constant }) => constant)
    .flatMap((row) => (row.growth === undefined ? [] : [{ ...row, times: 10 ** row.growth }]))
    .toSorted((a, b) => b.times - a.times);
  const [most] = grown;
  if (!most) return [];
  const met = grown.filter(({ times }) => times <= 1.3).length;
  return lineOf([
    `growth of lists by key, saves and searches; the most: ${most.what}`,
    '× 10',
    `${most.times.toFixed(2)} times the time`,
    '',
    '≤ 1.3 times',
    met === grown.length ? 'met' : `not met (${met} of ${grown.length})`,
  ]);
}

/** One line for each figure with a goal that was measured. */
function figuresOf({ name, figures }: Kept): string[] {
  return (FIGURE_GOALS[name] ?? []).flatMap(({ name, says, unit, most }) => {
    const figure = figures[name];
    if (figure === undefined) return [];
    const measured = `${figure.toLocaleString('en')} ${unit}`;
    const wanted = `≤ ${most.toLocaleString('en')} ${unit}`;
    return lineOf([says, '', measured, '', wanted, figure <= most ? 'met' : 'not met']);
  });
}

const lineOf = (cells: readonly string[]) => [`| ${cells.join(' | ')} |`];

function told(figures: Readonly<Record<string, number>>, before: string): string {
  const list = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`);
  return list.length === 0 ? '' : before + list.join(', ');
}
