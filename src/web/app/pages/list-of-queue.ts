import type { Queue } from '#shared/contract/workspace-answers.ts';
import { type ListView, type RawSearch, readListView } from '#web/api/list-view.ts';

/** The list from which a queue was filled; empty if it was filled by ids. */
export function listOfQueue({ filter }: Queue): ListView {
  const search: RawSearch = {};
  for (const [name, value] of new URLSearchParams(filter ?? '')) {
    // A query repeats the names of equal conditions, which an address numbers.
    let numbered = name;
    for (let n = 1; numbered in search; n++) numbered = `${name}[${n}]`;
    search[numbered] = value;
  }
  return readListView(search);
}
