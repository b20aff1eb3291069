import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { Queue } from '#shared/contract/workspace-answers.ts';
import { isSameName } from '#shared/rules/names.ts';
import { splitList } from '#shared/rules/lists.ts';
import { checkFilterOf } from '#web/api/checks.queries.ts';
import { readListView } from '#web/api/list-view.ts';
import { liveState } from '#web/api/live/live.ts';
import { type Done, useQueue } from '#web/features/correction-queue/use-queue.ts';
import type { Drafts } from '#web/features/index-form/drafts.ts';
import { revisionQuery } from '#web/api/revisions.queries.ts';

/** Revisions that are read ahead, so that their forms stand at once. */
const AHEAD = 3;
/** Revisions behind that stay read, for going back. */
const KEPT_BEHIND = 3;

/** The form comes first; in milliseconds. */
const ONCE_PAINTED = 40;

/** What queue, form and document of the correction page share: the place, and where the cursor goes. */
export function useCorrection(archive: ArchiveDetail, queue: Queue, drafts: Drafts) {
  const client = useQueryClient();
  const queueNavigator = useQueue(archive.table, queue);
  const { current } = queueNavigator;
  const revisionId = current?.revisionId;
  // The revision that is done although the form has not gone on from it yet.
  const done = useRef<{ readonly revisionId: string; readonly how: Done } | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  // The form that comes back from the end of the queue is a new one.
  if (revisionId === undefined && focused !== null) setFocused(null);
  // Nobody has been in a field yet: what the queue was filtered by is likely what is to be corrected.
  const filtered = useMemo(() => filteredField(archive, queue.filter), [archive, queue.filter]);
  const foundField = useFoundField(archive, queue.filter, revisionId);
  const listField = foundField ?? filtered;
  const missingField = useMemo(
    () => filteredField(archive, queue.filter, isMissing),
    [archive, queue.filter],
  );

  const readAhead = useEffectEvent((here: string) => {
    // What was read ahead may have been changed or deleted since, where that is not heard.
    if (liveState.get() !== 'open') {
      void client
        .query({ ...revisionQuery(archive.table, here), staleTime: 0 })
        .catch(() => undefined);
    }
    for (let by = 1; by <= AHEAD; by++) {
      const id = queueNavigator.ahead(by)?.revisionId;
      if (id) void client.query(revisionQuery(archive.table, id)).catch(() => undefined);
    }
    // Over thousands of steps the page must not grow; drafts are kept elsewhere.
    const passed = queueNavigator.behind(KEPT_BEHIND + 1)?.revisionId;
    if (passed) client.removeQueries({ queryKey: revisionQuery(archive.table, passed).queryKey });
  });
  useEffect(() => {
    if (revisionId === undefined) return undefined;
    const timer = setTimeout(readAhead, ONCE_PAINTED, revisionId);
    return () => clearTimeout(timer);
  }, [revisionId]);

  const next = () =>
    queueNavigator.next(
      done.current?.revisionId === revisionId ? (done.current?.how ?? 'skipped') : 'skipped',
    );
  return {
    queueNavigator,
    revisionId,
    nextId: queueNavigator.ahead(1)?.revisionId,
    next,
    back: queueNavigator.back,
    done: (how: Done) => {
      done.current = revisionId === undefined ? null : { revisionId, how };
    },
    /** whether the clerk has typed into the current one */
    hasDraft: revisionId !== undefined && drafts.get(revisionId) !== undefined,
    // Each revision of such a list has a finding, or lacks a value: the cursor goes to its field, wherever it was last.
    focusOn:
      revisionId === undefined || focused === revisionId
        ? undefined
        : (foundField ?? missingField ?? queueNavigator.field() ?? listField),
    /** whether typing replaces the text of the field that receives the cursor */
    focusSelects: foundField !== null || missingField === null,
    /** the field that the list is about, by its place; null: none */
    listField,
    enterListField: () => {
      if (listField === null) return;
      queueNavigator.rememberField(listField);
      setFocused(null);
    },
    focused: () => setFocused(revisionId ?? null),
    /** puts the cursor into the form again */
    enter: () => setFocused(null),
  };
}

/**
 * The place of the first field that the finding is about by which the queue was filled; null: it was filled otherwise, or
 * the revision has no such finding any more.
 */
function useFoundField(
  archive: ArchiveDetail,
  filter: string | null,
  revisionId: string | undefined,
): string | null {
  const names = useMemo(() => filteredChecks(archive, filter), [archive, filter]);
  // The page reads the revision for its form: this is the same query.
  const { data: found } = useQuery({
    ...revisionQuery(archive.table, revisionId ?? ''),
    enabled: revisionId !== undefined && names.length > 0,
    select: ({ findings = [] }) =>
      findings.find(({ check }) => names.some((name) => isSameName(name, check))),
  });
  if (!found) return null;
  const [first] = found.fields;
  return first === undefined ? null : `indexFields.${first}`;
}

/** The names of the checks whose findings a filter asks for. */
function filteredChecks(archive: ArchiveDetail, filter: string | null): string[] {
  const { where = [] } = readListView(Object.fromEntries(new URLSearchParams(filter ?? '')));
  const field = checkFilterOf(archive.indexFieldDefinitions);
  return where.flatMap((condition) => {
    if (!isSameName(condition.field, field)) return [];
    return condition.op === 'eq'
      ? condition.value
      : condition.op === 'in'
        ? splitList(condition.value)
        : [];
  });
}

type Condition = NonNullable<ReturnType<typeof readListView>['where']>[number];

/** Whether a condition is met where a field has no value. */
function isMissing({ op, value }: Condition): boolean {
  return (op === 'null' && value === 'true') || (op === 'eq' && value === '');
}

/** The place of the first index field that a filter tests; null: none. */
function filteredField(
  archive: ArchiveDetail,
  filter: string | null,
  tests: (condition: Condition) => boolean = () => true,
): string | null {
  const { where = [] } = readListView(Object.fromEntries(new URLSearchParams(filter ?? '')));
  const fields = new Set(archive.indexFieldDefinitions.map(({ name }) => name));
  const first = where.find((condition) => fields.has(condition.field) && tests(condition));
  return first ? `indexFields.${first.field}` : null;
}
