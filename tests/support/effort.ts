/**
 * How often tests repeat what they try at random: a quarter as often as they say in `npm test`, 10 times in
 * `npm run torture`, or what INDEXDESK_TEST_EFFORT says.
 */
const EFFORT = Number(process.env['INDEXDESK_TEST_EFFORT'] ?? 0.25);

/** @param count repetitions where the effort is 1 */
export function repeated(count: number): number {
  return Math.ceil(count * EFFORT);
}

/** Whether this is a long run, which also tries what matters rarely. */
export const IS_LONG_RUN = EFFORT > 1;

/** The first of some cases of one rule, for `each`; a long run tries all. */
export function sampled<T extends string | number | boolean | object | unknown[] | [unknown]>(
  count: number,
  all: readonly T[],
): readonly T[] {
  return IS_LONG_RUN ? all : all.slice(0, count);
}

/**
 * How long tests wait for a state, in milliseconds; the libraries' own limit is a second. Only tests that fail wait for so
 * long: the machine may be several times slower, and much may run beside them.
 */
export const WAIT_LIMIT = 60_000;

/** How long a test or a hook may take, in milliseconds; a long run repeats much within one test. */
export const TEST_LIMIT = IS_LONG_RUN ? 1_800_000 : 300_000;
