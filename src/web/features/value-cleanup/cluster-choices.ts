import type { ValueClusters } from '#shared/contract/value-cleanup.ts';

export type Cluster = ValueClusters['clusters'][number];

/** The user's choice for the values of a cluster. */
export interface Choice {
  /** all values of the cluster */
  readonly values: readonly string[];
  /** whether they are corrected */
  readonly isChosen: boolean;
  /** the correct value, which replaces the others */
  readonly right: string;
  /** values that stay unchanged */
  readonly unchanged: readonly string[];
}

/** By the key of the cluster; untouched clusters are not in it. */
export type Choices = ReadonlyMap<string, Choice>;

/** What the user chose for the values of a field. */
export interface CleanupChoices {
  readonly choices: Choices;
  /** whether imports and pastes correct the values too */
  readonly remember: boolean;
}

export const NO_CHOICES: CleanupChoices = { choices: new Map(), remember: false };

export function hasChosen({ choices }: CleanupChoices): boolean {
  return [...choices.values()].some(({ isChosen }) => isChosen);
}

/** A value and its replacement. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}

/** The key of a cluster: its values, as with other values it is another choice. Their order changes with their use. */
export function keyOf({ values }: Cluster): string {
  return JSON.stringify(values.map(({ value }) => value).toSorted());
}

/** By default nothing is corrected, and the most frequent value is suggested. */
export function choiceOf(choices: Choices, cluster: Cluster): Choice {
  const values = cluster.values.map(({ value }) => value);
  const right = values[0] ?? '';
  return choices.get(keyOf(cluster)) ?? { values, isChosen: false, right, unchanged: [] };
}

/** What is left to do after values were corrected; their clusters are no longer there. */
export function withoutCorrected(
  { choices }: CleanupChoices,
  corrected: readonly Replacement[],
): CleanupChoices {
  const correctedValues = new Set(corrected.map(({ from }) => from));
  const left = [...choices].filter(
    ([, { values }]) => !values.some((value) => correctedValues.has(value)),
  );
  return { ...NO_CHOICES, choices: new Map(left) };
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
