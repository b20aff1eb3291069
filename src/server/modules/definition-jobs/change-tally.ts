import type { Scalar } from '#shared/values/value-type.ts';

/** A stored value that violates the new definition of its field. */
export interface Misfit {
  readonly id: number;
  readonly value: Scalar;
}

/** The effect of a change on stored values. */
export interface ChangeTally {
  /** stored values affected by it */
  readonly affected: number;
  /** those that violate it */
  readonly misfits: number;
  readonly examples: readonly Misfit[];
}

export const NO_TALLY: ChangeTally = { affected: 0, misfits: 0, examples: [] };
