/** One goal of the picture: what was measured and the most that it may be. */
export interface ChartRow {
  readonly label: string;
  readonly milliseconds: number;
  /** milliseconds */
  readonly goal: number;
  readonly isMet: boolean;
}

const WIDTH = 840;
const LABELS = 292;
/** The axis, in pixels: left of it the labels, right of it room for the last figure. */
const [LEFT, RIGHT] = [LABELS + 40, WIDTH - 64];
/** The axis, in milliseconds. Times differ by four orders of magnitude, so it is logarithmic. */
const [LEAST, MOST] = [1, 2000];
const TOP = 64;
const ROW = 28;
const TICKS = [1, 10, 100, 1000];

const COLOURS = `
    .card { fill: #ffffff; stroke: #d7dddd; }
    .text { fill: #1d2a2b; }
    .soft { fill: #5a6a6b; }
    .grid { stroke: #e4e9e9; }
    .line { stroke: #9db5b6; }
    .met { fill: #0b6e6e; }
    .over { fill: #b3261e; }
    .goal { stroke: #1d2a2b; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #15191a; stroke: #343c3d; }
      .text { fill: #e6eceb; }
      .soft { fill: #a3b1b1; }
      .grid { stroke: #2a3132; }
      .line { stroke: #4f6667; }
      .met { fill: #4fc4bf; }
      .over { fill: #ff8a80; }
      .goal { stroke: #e6eceb; }
    }`;

/**
 * Draws a dot for each figure and a bar for its goal, as SVG with colours for light and dark pages.
 * @param rows from top to bottom; times from 1 to 2,000 ms
 */
export function drawGoals(rows: readonly ChartRow[]): string {
  const bottom = TOP + rows.length * ROW;
  const height = bottom + 40;
  const grid = TICKS.map(
    (tick) =>
      `<line class="grid" x1="${at(tick)}" x2="${at(tick)}" y1="${TOP - 6}" y2="${bottom}"/>` +
      `<text class="soft" x="${at(tick)}" y="${bottom + 20}" text-anchor="middle">${inWords(tick)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
  <title id="title">${rows.map(({ label, milliseconds, goal }) => `${label}: ${inWords(milliseconds)}, goal ${inWords(goal)}`).join('; ')}</title>
  <style>
    text { font: 13px system-ui, sans-serif; }${COLOURS}
  </style>
  <rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
  ${legend()}
  ${grid.join('\n  ')}
  ${rows.map((row, index) => rowOf(row, TOP + index * ROW + ROW / 2)).join('\n  ')}
</svg>
`;
}

function legend(): string {
  const y = 30;
  return [
    `<circle class="met" cx="24" cy="${y - 4}" r="5"/><text class="text" x="36" y="${y}">measured, goal met</text>`,
    `<circle class="over" cx="186" cy="${y - 4}" r="5"/><text class="text" x="198" y="${y}">goal not met</text>`,
    `<line class="goal" x1="304" x2="304" y1="${y - 12}" y2="${y + 4}" stroke-width="2"/><text class="text" x="314" y="${y}">goal: the most that it may take</text>`,
    `<text class="soft" x="${WIDTH - 20}" y="${y}" text-anchor="end">logarithmic axis; left is faster</text>`,
  ].join('\n  ');
}

function rowOf({ label, milliseconds, goal, isMet }: ChartRow, y: number): string {
  const isLeft = milliseconds <= goal;
  // The figure stands beside its dot, away from the goal.
  const x = at(milliseconds) + (isLeft ? -10 : 10);
  const anchor = isLeft ? 'end' : 'start';
  return [
    `<text class="text" x="${LABELS}" y="${y + 4}" text-anchor="end">${label}</text>`,
    `<line class="line" x1="${at(milliseconds)}" x2="${at(goal)}" y1="${y}" y2="${y}"/>`,
    `<line class="goal" x1="${at(goal)}" x2="${at(goal)}" y1="${y - 7}" y2="${y + 7}" stroke-width="2"/>`,
    `<circle class="${isMet ? 'met' : 'over'}" cx="${at(milliseconds)}" cy="${y}" r="5"/>`,
    `<text class="${isMet ? 'text' : 'over'}" x="${x}" y="${y + 4}" text-anchor="${anchor}">${inWords(milliseconds)}</text>`,
  ].join('');
}

/** The place of a time on the axis, in pixels. */
function at(milliseconds: number): number {
  const share = Math.log(milliseconds / LEAST) / Math.log(MOST / LEAST);
  return Math.round(LEFT + share * (RIGHT - LEFT));
}

function inWords(milliseconds: number): string {
  if (milliseconds < 1000) return `${Number(milliseconds.toPrecision(3))} ms`;
  return `${Number((milliseconds / 1000).toPrecision(3))} s`;
}
