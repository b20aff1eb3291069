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

/** A group that the service must count again. */
interface Recount {
  readonly group: string;
  /** the number of query responses after which it is no longer awaited */
  readonly maxUpdates: number;
}

/** The service counts a write within two seconds (docs/interface/checks.md, section 3). */
const COUNTED_IN = 1_000;
const TRIES = 10;

interface Groups {
  readonly collection: CollectionRef;
  readonly check: string;
  /** only those with this record; null: all */
  readonly record: string | null;
  /** the group in the address; null: the first */
  readonly wanted: string | null;
}

/** The groups of a check, and the shown one. Settled records are left out before the next count. */
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
        ? COUNTED_IN
        : false,
  });
  const [settled, setSettled] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const groups = data?.groups.flatMap((group) => {
    const left = settled.get(nameOf(group)) ?? [];
    const ids = group.ids.filter((id) => !left.includes(id));
    return ids.length < 2 ? [] : [{ ...group, ids, count: group.count - left.length, all: group }];
  });
  const found = groups?.findIndex(({ group }) => group === wanted) ?? -1;
  // If the group no longer exists, the next one is shown.
  const later = wanted === null ? 0 : groups?.findIndex(({ group }) => isAfter(group, wanted));
  const at = found >= 0 ? found : later === -1 ? (groups?.length ?? 0) - 1 : (later ?? 0);
  return {
    groups,
    isCounted: data?.isCounted ?? false,
    isPart: data?.isPart ?? false,
    error,
    readAgain: () => void refetch(),
    at,
    group: groups?.[at],
    hasSettled: settled.size > 0,
    /** Shows the records again that were left out of a group. */
    restore: ({ all }: ShownGroup) => {
      const { dataUpdateCount = 0 } = client.getQueryState(query.queryKey) ?? {};
      setRecount({ group: all.group, maxUpdates: dataUpdateCount + TRIES });
      setSettled((before) => {
        const now = new Map(before);
        now.delete(nameOf(all));
        return now;
      });
    },
    /** Leaves out records that are no longer duplicates, until the next count. */
    leaveOut: ({ all }: ShownGroup, ids: readonly string[]) =>
      setSettled((before) => {
        const name = nameOf(all);
        return new Map(before).set(name, [...(before.get(name) ?? []), ...ids]);
      }),
  };
}

/** Groups are identified by their first record and the list of fields in which they are equal. */
function isAfter(group: string, other: string): boolean {
  const [record = 0, part = 0] = group.split('.').map(Number);
  const [otherRecord = 0, otherPart = 0] = other.split('.').map(Number);
  return record > otherRecord || (record === otherRecord && part > otherPart);
}
