import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DuplicateGroup } from '#shared/contract/check-answers.ts';
import type { ListPlace } from '#web/api/paths.ts';
import { duplicateGroupsQuery } from './duplicates.queries.ts';

const nameOf = ({ group, ids }: DuplicateGroup) => JSON.stringify([group, ids]);

/** A group without the records that were dealt with since it was counted. */
export interface ShownGroup extends DuplicateGroup {
  /** as it was counted */
  readonly all: DuplicateGroup;
}

/** A group that the service has to count again before it is answered. */
interface Awaited {
  readonly group: string;
  /** how often it is asked for, as the answers of the query are counted */
  readonly until: number;
}

/** The service follows a write within two seconds (docs/interface/checks.md, section 3). */
const COUNTED_IN = 1_000;
const TRIES = 10;

interface Groups {
  readonly place: ListPlace;
  readonly check: string;
  /** only those that have this record; null: all */
  readonly record: string | null;
  /** the group in the address; null: the first */
  readonly wanted: string | null;
}

/** The groups of a check, with the one that is shown. What is dealt with is left out before it is counted again. */
export function useGroups({ place, check, record, wanted }: Groups) {
  const client = useQueryClient();
  const query = duplicateGroupsQuery(place, check, record);
  const [awaited, setAwaited] = useState<Awaited | null>(null);
  const { data, error, refetch } = useQuery({
    ...query,
    refetchInterval: ({ state }) =>
      awaited !== null &&
      state.dataUpdateCount < awaited.until &&
      !state.data?.groups.some(({ group }) => group === awaited.group)
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
  // One that is not there any more gives its place to the next one.
  const later = wanted === null ? 0 : groups?.findIndex(({ group }) => isAfter(group, wanted));
  const at = found >= 0 ? found : later === -1 ? (groups?.length ?? 0) - 1 : (later ?? 0);
  return {
    groups,
    isPart: data?.isPart ?? false,
    error,
    readAgain: () => void refetch(),
    at,
    group: groups?.[at],
    hasSettled: settled.size > 0,
    /** Shows those again that were left out of a group. */
    bringBack: ({ all }: ShownGroup) => {
      const { dataUpdateCount = 0 } = client.getQueryState(query.queryKey) ?? {};
      setAwaited({ group: all.group, until: dataUpdateCount + TRIES });
      setSettled((before) => {
        const now = new Map(before);
        now.delete(nameOf(all));
        return now;
      });
    },
    /** Leaves out records that are no duplicates any more, until they are counted. */
    leaveOut: ({ all }: ShownGroup, ids: readonly string[]) =>
      setSettled((before) => {
        const name = nameOf(all);
        return new Map(before).set(name, [...(before.get(name) ?? []), ...ids]);
      }),
  };
}

/** Groups are named by their first record and the list of fields in which they are equal. */
function isAfter(group: string, other: string): boolean {
  const [record = 0, part = 0] = group.split('.').map(Number);
  const [otherRecord = 0, otherPart = 0] = other.split('.').map(Number);
  return record > otherRecord || (record === otherRecord && part > otherPart);
}
