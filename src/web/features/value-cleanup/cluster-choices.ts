import type { ValueClusters } from '#shared/contract/value-cleanup.ts';

export type Cluster = ValueClusters['clusters'][number];

/** The user's choice for the values of a cluster. */
export interface Choice {
  /** whether they are corrected */
  readonly isChosen: boolean;
  /** the correct value, which replaces the others */
  readonly right: string;
  /** values that stay unchanged */
  readonly unchanged: readonly string[];
}

/** By the first value of the cluster; untouched clusters are not in it. */
export type Choices = ReadonlyMap<string, Choice>;

/** A value and its replacement. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}

/** The key of a cluster while it is on the screen: each value is in one cluster. */
export function keyOf({ values }: Cluster): string {
  return values[0]?.value ?? '';
}

/** By default nothing is corrected, and the most frequent value is suggested. */
export function choiceOf(choices: Choices, cluster: Cluster): Choice {
  return choices.get(keyOf(cluster)) ?? { isChosen: false, right: keyOf(cluster), unchanged: [] };
}

/** The corrections of a cluster; empty if it is not chosen. */
export function replacementsOf(choices: Choices, cluster: Cluster): Replacement[] {
  const { isChosen, right, unchanged } = choiceOf(choices, cluster);
  if (!isChosen) return [];
  return cluster.values
    .filter(({ value }) => value !== right && !unchanged.includes(value))
    .map(({ value }) => ({ from: value, to: right }));
}

/** The number of records with corrected values. */
export function recordsChanged(choices: Choices, cluster: Cluster): number {
  const changed = new Set(replacementsOf(choices, cluster).map(({ from }) => from));
  return cluster.values.reduce(
    (sum, { value, count }) => sum + (changed.has(value) ? count : 0),
    0,
  );
}
