import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DuplicateGroup } from '#shared/contract/check-answers.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { duplicateGroupsQuery } from './duplicates.queries.ts';

const nameOf = ({ group, ids }: DuplicateGroup) => JSON.stringify([group, ids]);

/** A group without the records that were settled since the count. */
interface ShownGroup extends DuplicateGroup {
  /** as counted */
  readonly all: DuplicateGroup;
}

/** The group on the screen. A recount may give it another name and other records. */
interface ShownGroupState {
  /** the group in the address; undefined: the one in the address is to be shown again */
  readonly wanted: string | null | undefined;
  readonly group: DuplicateGroup;
  readonly key: number;
}

/** A group that the service must count again. */
interface Recount {
  readonly group: string;
  /** the number of query responses after which it is no longer awaited */
  readonly maxUpdates: number;
}

/** The service counts a write within two seconds (docs/interface/checks.md, section 3). */
const COUNT_INTERVAL = 1_000;
const MAX_TRIES = 10;

interface Groups {
  readonly collection: CollectionRef;
  readonly check: string;
  /** only those with this record; null: all */
  readonly record: string | null;
  /** the group in the address; null: the first */
  readonly wanted: string | null;
}

/**
 * The groups of a check, and the shown one, which stays while any of its records are a group. Settled records are left out
 * before the next count.
 */
export function useGroups({ collection, check, record, wanted }: Groups) {
  const client = useQueryClient();
  const query = duplicateGroupsQuery(collection, check, record);
  const [recount, setRecount] = useState<Recount | null>(null);
  const { data, error, refetch } = useQuery({
    ...query,
    refetchInterval: ({ state }) =>
      state.data?.isCounted === false ||
      (recount !== null &&
        state.dataUpdateCount < recount.maxUpdates &&
        !state.data?.groups.some(({ group }) => group === recount.group))
        ? COUNT_INTERVAL
        : false,
  });
  const [settled, setSettled] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const groups = data?.groups.flatMap((group) => {
    const left = settled.get(nameOf(group)) ?? [];
    const ids = group.ids.filter((id) => !left.includes(id));
    return ids.length < 2 ? [] : [{ ...group, ids, count: group.count - left.length, all: group }];
  });
  const [onScreen, setOnScreen] = useState<ShownGroupState | null>(null);
  const continued = onScreen && groups ? continuationOf(onScreen.group, groups) : -1;
  const stays = continued >= 0 && onScreen?.wanted === wanted;
  const at = stays ? continued : positionOf(wanted, groups ?? []);
  const group = groups?.[at];
  const key = (onScreen?.key ?? 0) + (at === continued ? 0 : 1);
  const isNoted =
    onScreen && group && onScreen.wanted === wanted && nameOf(onScreen.group) === nameOf(group);
  if (group && !isNoted) setOnScreen({ wanted, group, key });
  return {
    groups,
    isCounted: data?.isCounted ?? false,
    isPart: data?.isPart ?? false,
    error,
    readAgain: () => void refetch(),
    at,
    group,
    /** another one for another group */
    key,
    hasSettled: settled.size > 0,
    /** Shows the records again that were left out of a group. */
    restore: ({ all }: ShownGroup) => {
      const { dataUpdateCount = 0 } = client.getQueryState(query.queryKey) ?? {};
      setRecount({ group: all.group, maxUpdates: dataUpdateCount + MAX_TRIES });
      setSettled((before) => {
        const now = new Map(before);
        now.delete(nameOf(all));
        return now;
      });
      setOnScreen((before) => before && { ...before, wanted: undefined });
    },
    /** Leaves out records that are no longer duplicates, until the next count. */
    leaveOut: ({ all }: ShownGroup, ids: readonly string[]) =>
      setSettled((before) => {
        const name = nameOf(all);
        return new Map(before).set(name, [...(before.get(name) ?? []), ...ids]);
      }),
  };
}

/** The position of the group with most of the records of an earlier one; -1: none has any of them. */
function continuationOf(
  { group: name, ids }: DuplicateGroup,
  groups: readonly DuplicateGroup[],
): number {
  const known = new Set(ids);
  const common = groups.map((one) =>
    partOf(one.group) === partOf(name) ? one.ids.filter((id) => known.has(id)).length : 0,
  );
  const most = Math.max(...common);
  return most > 0 ? common.indexOf(most) : -1;
}

/** The position of a group. If it no longer exists, the next one is shown. @param wanted null: the first */
function positionOf(wanted: string | null, groups: readonly DuplicateGroup[]): number {
  if (wanted === null) return 0;
  const found = groups.findIndex(({ group }) => group === wanted);
  if (found >= 0) return found;
  const later = groups.findIndex(({ group }) => isAfter(group, wanted));
  return later >= 0 ? later : groups.length - 1;
}

/** Groups are identified by their first record and the list of fields in which they are equal. */
function isAfter(group: string, other: string): boolean {
  const [record = 0] = group.split('.').map(Number);
  const [otherRecord = 0] = other.split('.').map(Number);
  return record > otherRecord || (record === otherRecord && partOf(group) > partOf(other));
}

function partOf(group: string): number {
  const [, part = 0] = group.split('.').map(Number);
  return part;
}
