import { expect } from 'vitest';

/** How often it is measured at most: a machine that stands still for a moment is none of the service's doing. */
const ATTEMPTS = 3;

/**
 * Fails where something never takes at most so long.
 * @param what printed with each figure
 * @param limit milliseconds
 * @param measure gives milliseconds
 */
export async function staysWithin(
  what: string,
  limit: number,
  measure: () => Promise<number>,
): Promise<void> {
  const figures: number[] = [];
  while (figures.length < ATTEMPTS) {
    const figure = await measure();
    figures.push(figure);
    console.log(`${what}: ${figure.toFixed(0)} ms (at most ${limit})`);
    if (figure <= limit) return;
  }
  expect.fail(`${what}: ${figures.map((one) => one.toFixed(0)).join(', ')} ms, not ${limit}`);
}

/** The figure that this part of all does not exceed. @param part from 0 to 1 */
export function quantile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}
