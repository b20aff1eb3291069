import type { PlanOutcome, PlannedRevision } from './plan.ts';

/** The groups of the preview, in the order they are shown. */
const GROUPS = ['fails', 'changes', 'same', 'notFound'] as const satisfies readonly (
  | PlanOutcome
  | 'notFound'
)[];
type Group = (typeof GROUPS)[number];

/** The part of the preview that is shown: everything, one group, or the excluded revisions. */
export type ShownPart = 'all' | Group | 'out';

export type PreviewRow =
  | { readonly kind: 'head'; readonly group: Group; readonly count: number }
  | { readonly kind: 'revision'; readonly planned: PlannedRevision }
  | { readonly kind: 'notFound'; readonly revisionId: string };

/** The number of revisions in each part of the preview; excluded ones count only there. */
export type OutcomeCounts = Readonly<Record<ShownPart, number>>;

export function countOutcomes(
  planned: readonly PlannedRevision[],
  notFound: readonly string[],
  excluded: ReadonlySet<string>,
): OutcomeCounts {
  const counts = { all: planned.length + notFound.length, fails: 0, changes: 0, same: 0, out: 0 };
  for (const { revision, outcome } of planned) {
    counts[excluded.has(revision.revisionId) ? 'out' : outcome]++;
  }
  return { ...counts, notFound: notFound.length };
}

interface PreviewContent {
  readonly planned: readonly PlannedRevision[];
  readonly notFound: readonly string[];
  readonly excluded: ReadonlySet<string>;
  readonly shown: ShownPart;
  /** whether a change was chosen; before, no revision counts as “unchanged” */
  readonly isCompared: boolean;
}

/**
 * The rows of the preview: the groups with their headings. An excluded revision stays in its place, so that no row
 * moves under the pointer.
 */
export function previewRows(content: PreviewContent): PreviewRow[] {
  const { planned, notFound, excluded, shown, isCompared } = content;
  if (shown === 'out') {
    return planned
      .filter(({ revision }) => excluded.has(revision.revisionId))
      .map((entry) => ({ kind: 'revision', planned: entry }));
  }
  return GROUPS.filter((group) => shown === 'all' || shown === group).flatMap((group) => {
    const rows: PreviewRow[] =
      group === 'notFound'
        ? notFound.map((revisionId) => ({ kind: 'notFound', revisionId }))
        : planned
            .filter(({ outcome }) => outcome === group)
            .map((entry) => ({ kind: 'revision', planned: entry }));
    if (rows.length === 0 || (group === 'same' && !isCompared)) return rows;
    return [{ kind: 'head' as const, group, count: rows.length }, ...rows];
  });
}

/** The position of a revision among the rows; -1 if it is not shown. */
export function rowOfRevision(rows: readonly PreviewRow[], revisionId: string | null): number {
  return rows.findIndex(
    (row) => row.kind === 'revision' && row.planned.revision.revisionId === revisionId,
  );
}
