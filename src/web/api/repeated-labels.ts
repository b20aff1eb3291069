import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';

/** The labels that several archives or tables share, so that only their internal names differ. */
export function repeatedLabels(
  archives: readonly ArchiveSummary[] = [],
  tables: readonly TableSummary[] = [],
): ReadonlySet<string> {
  const labels = [...archives.map(({ name }) => name), ...tables.map(({ label }) => label)];
  return new Set(labels.filter((label, at) => labels.indexOf(label) < at));
}
