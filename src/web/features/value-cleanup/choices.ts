import type { ValueClusters } from '#shared/contract/value-cleanup.ts';

export type Cluster = ValueClusters['clusters'][number];

/** What is to become of the values of a cluster. */
export interface Choice {
  /** whether they are corrected */
  readonly isChosen: boolean;
  /** the one that the others become */
  readonly right: string;
  /** those that stay as they are */
  readonly kept: readonly string[];
}

/** By the first value of the cluster; those that nobody has touched are not in it. */
export type Choices = ReadonlyMap<string, Choice>;

/** A value, and the one to stand in its place. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}

/** What names a cluster as long as it is on the screen: values are in one cluster each. */
export function keyOf({ values }: Cluster): string {
  return values[0]?.value ?? '';
}

/** At first nothing is corrected, and the most used value is proposed. */
export function choiceOf(choices: Choices, cluster: Cluster): Choice {
  return choices.get(keyOf(cluster)) ?? { isChosen: false, right: keyOf(cluster), kept: [] };
}

/** The corrections of a cluster; none if it is not chosen. */
export function replacementsOf(choices: Choices, cluster: Cluster): Replacement[] {
  const { isChosen, right, kept } = choiceOf(choices, cluster);
  if (!isChosen) return [];
  return cluster.values
    .filter(({ value }) => value !== right && !kept.includes(value))
    .map(({ value }) => ({ from: value, to: right }));
}

/** In how many records the values stand that are corrected. */
export function recordsChanged(choices: Choices, cluster: Cluster): number {
  const changed = new Set(replacementsOf(choices, cluster).map(({ from }) => from));
  return cluster.values.reduce(
    (sum, { value, count }) => sum + (changed.has(value) ? count : 0),
    0,
  );
}
