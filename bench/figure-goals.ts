/** What a figure without floors is to be at most. */
interface FigureGoal {
  readonly name: string;
  /** its name in the table of docs/how-fast.md */
  readonly says: string;
  readonly unit: 'ms' | 'KB' | 'MB';
  readonly most: number;
}

const goal = (name: string, says: string, unit: FigureGoal['unit'], most: number): FigureGoal => ({
  name,
  says,
  unit,
  most,
});

const screen = (name: string, bytes: number, usable: number): FigureGoal[] => [
  goal(`${name}: in all (KB gzip)`, `first load of ${name}, gzip`, 'KB', bytes),
  goal(
    `${name}: usable, never been there p50 (ms)`,
    `until ${name} can be used, never been there, p50`,
    'ms',
    usable,
  ),
];

/** The goals of cases that print figures instead of rows, by the case. */
export const FIGURE_GOALS: Readonly<Record<string, readonly FigureGoal[]>> = {
  'bulk-edits': [
    goal('plan', 'plan of a bulk edit of 100,000 revisions', 'ms', 5_000),
    goal('apply', 'its application', 'ms', 30_000),
    goal('saveP95', 'single saves meanwhile, p95', 'ms', 100),
    goal('holdP95', 'a part of it holds the writer, p95', 'ms', 20),
  ],
  documents: [
    goal(
      '500 pages in a tree: first p50 (ms)',
      'first page of a PDF of 500 pages, p50',
      'ms',
      1_000,
    ),
    goal('500 pages in a list: first p50 (ms)', 'the same, pages in one flat list', 'ms', 1_000),
  ],
  'first-load': [
    ...screen('sign-in', 120, 500),
    ...screen('archive', 230, 1_000),
    ...screen('grid', 260, 1_000),
  ],
  grid: [
    goal('usable p50 (ms)', 'grid of 1,000,000 records: until it can be used, p50', 'ms', 1_000),
    goal('jump p95 (ms)', 'jump to any row of it, p95', 'ms', 150),
    goal('scrolling frame p95 (ms)', 'a frame while it scrolls, p95', 'ms', 25),
    goal('key to paint p95 (ms)', 'a key until it is painted, p95', 'ms', 25),
    goal('heap after 10 minutes (MB)', 'its memory after ten minutes of random use', 'MB', 250),
  ],
  paste: [
    goal('new rows: written (ms)', 'paste of 50,000 × 10 cells, new rows', 'ms', 15_000),
    goal('changed rows: written (ms)', 'the same, over rows that are there', 'ms', 15_000),
  ],
  queue: [goal('step p95', 'save and next, until the next form can be typed into, p95', 'ms', 100)],
};
