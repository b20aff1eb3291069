import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { Queue } from '#shared/contract/workspace-answers.ts';
import { isSameName } from '#shared/rules/names.ts';
import { splitList } from '#shared/rules/comma-list.ts';
import { checkFilterOf } from '#web/api/checks.queries.ts';
import { type ListView, type RawSearch, readListView, type Where } from '#web/api/list-view.ts';
import { liveState } from '#web/api/live/live.ts';
import { type QueueOutcome, useQueue } from '#web/features/correction-queue/use-queue.ts';
import { revisionQuery } from '#web/api/revisions.queries.ts';
import { requestFocus } from '#web/ui/focus-request.ts';
import { useFormKeyBuffer } from '#web/ui/form-key-buffer.ts';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';

/** How many revisions are prefetched, so that their forms open at once. */
const PREFETCHED_REVISIONS = 3;
/** How many previous revisions stay in the cache, for going back. */
const CACHED_PREVIOUS = 3;

/** The form is rendered first; in milliseconds. */
const PREFETCH_DELAY = 40;

/**
 * The state that queue, form and document of the correction page share: the position, and the focus.
 * @param unsaved the revisions with unsaved changes
 */
export function useQueueWorkspace(
  archive: ArchiveDetail,
  queue: Queue,
  unsaved: ReadonlySet<string>,
) {
  const client = useQueryClient();
  const queueNavigator = useQueue(archive.table, queue);
  const { current } = queueNavigator;
  const revisionId = current?.revisionId;
  // The revision that is done although the form has not moved on yet.
  const done = useRef<{ readonly revisionId: string; readonly how: QueueOutcome } | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  // The form that returns from the end of the queue is a new one.
  if (revisionId === undefined && focused !== null) setFocused(null);
  const list = useMemo(() => listOfQueue(queue), [queue]);
  const { where = [] } = list;
  const foundField = useFoundField(archive, where, revisionId);
  // No field has had the focus yet: the field of the queue's filter is likely the one to correct.
  const listField = foundField ?? fieldOfFilter(archive, where);
  const missingField = fieldOfFilter(archive, where.filter(isMissing));

  const isFocused = revisionId !== undefined && focused === revisionId;
  useFormKeyBuffer(!isFocused && !queueNavigator.atEnd && queueNavigator.error === null);

  useDebouncedEffect(revisionId, PREFETCH_DELAY, (currentId) => {
    if (currentId === undefined) return;
    // Prefetched data may have been changed or deleted if no live events arrive.
    if (liveState.get() !== 'open') {
      void client
        .query({ ...revisionQuery(archive.table, currentId), staleTime: 0 })
        .catch(() => undefined);
    }
    for (let by = 1; by <= PREFETCHED_REVISIONS; by++) {
      const id = queueNavigator.after(by)?.revisionId;
      if (id) void client.query(revisionQuery(archive.table, id)).catch(() => undefined);
    }
    // Over thousands of steps the memory of the page must not grow; drafts are stored elsewhere.
    const evicted = queueNavigator.before(CACHED_PREVIOUS + 1)?.revisionId;
    if (evicted) client.removeQueries({ queryKey: revisionQuery(archive.table, evicted).queryKey });
  });

  const next = () => {
    requestFocus();
    const isDone = done.current?.revisionId === revisionId;
    queueNavigator.next((isDone ? done.current?.how : undefined) ?? 'skipped');
  };
  /** focuses the form again */
  const enter = () => {
    requestFocus();
    setFocused(null);
  };
  return {
    queueNavigator,
    /** the list from which the queue was filled */
    list,
    revisionId,
    nextId: queueNavigator.after(1)?.revisionId,
    next,
    back: () => {
      requestFocus();
      queueNavigator.back();
    },
    done: (how: QueueOutcome) => {
      done.current = revisionId === undefined ? null : { revisionId, how };
    },
    /** whether the clerk has typed into the current form */
    hasDraft: revisionId !== undefined && unsaved.has(revisionId),
    // Each revision of such a list has a finding, or lacks a value: its field gets the focus, whatever field had it
    // last.
    focusOn:
      revisionId === undefined || focused === revisionId
        ? undefined
        : (foundField ?? missingField ?? queueNavigator.field() ?? listField),
    /** whether typing replaces the text of the field that receives the cursor */
    focusSelects: foundField !== null || missingField === null,
    /** the path of the field that the list is about; null: none */
    listField,
    enterListField: () => {
      if (listField === null) return;
      queueNavigator.rememberField(listField);
      enter();
    },
    focused: () => setFocused(revisionId ?? null),
    enter,
  };
}

/**
 * The path of the first field with the finding by which the queue was filled; null: it was filled otherwise, or the
 * revision no longer has the finding.
 */
function useFoundField(
  archive: ArchiveDetail,
  where: readonly Where[],
  revisionId: string | undefined,
): string | null {
  const names = checksOfFilter(archive, where);
  // The form reads the same query.
  const { data: found } = useQuery({
    ...revisionQuery(archive.table, revisionId ?? ''),
    enabled: revisionId !== undefined && names.length > 0,
    select: ({ findings = [] }) =>
      findings.find(({ check }) => names.some((name) => isSameName(name, check))),
  });
  const first = found?.fields[0];
  return first === undefined ? null : `indexFields.${first}`;
}

/** The names of the checks in a filter for findings. */
function checksOfFilter(archive: ArchiveDetail, where: readonly Where[]): string[] {
  const checkField = checkFilterOf(archive.indexFieldDefinitions);
  return where.flatMap(({ field, op, value }) => {
    if (!isSameName(field, checkField)) return [];
    if (op === 'eq') return value;
    return op === 'in' ? splitList(value) : [];
  });
}

/** Whether a condition is met where a field has no value. */
function isMissing({ op, value }: Where): boolean {
  return (op === 'null' && value === 'true') || (op === 'eq' && value === '');
}

/** The path of the first index field that a filter tests; null: none. */
function fieldOfFilter(archive: ArchiveDetail, where: readonly Where[]): string | null {
  const names = new Set(archive.indexFieldDefinitions.map(({ name }) => name));
  const first = where.find(({ field }) => names.has(field));
  return first ? `indexFields.${first.field}` : null;
}

/** The list from which a queue was filled; empty if it was filled by ids. */
function listOfQueue({ filter }: Queue): ListView {
  const search: RawSearch = {};
  for (const [name, value] of new URLSearchParams(filter ?? '')) {
    // A query repeats the names of equal conditions, which an address numbers.
    let numbered = name;
    for (let n = 1; numbered in search; n++) numbered = `${name}[${n}]`;
    search[numbered] = value;
  }
  return readListView(search);
}
