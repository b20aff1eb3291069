import type { HistoryEntry } from '#shared/contract/answers.ts';
import { toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import type { Stored } from '../edit-store/edits.ts';
import { type Refusal, refusalsIn } from '../problems/refused-places.ts';
import { readHistories } from '../undo/deletions.ts';
import { type LeftCell, whoChanged } from '../undo/who-changed.ts';
import type { Back, Chunk, JournalChange, Removal, Stays } from './journal.ts';
import type { PasteCalls } from './paste.calls.ts';

/** History entries that one call takes. */
const MOST_ENTRIES = 1_000;

export interface PasteRevert {
  readonly calls: PasteCalls;
  /** asks as often as it takes to have an answer */
  readonly reach: <T>(work: () => Promise<T>) => Promise<T>;
  /** writes down how far the chunk is; what is sent is fixed there before it is */
  readonly keep: (chunk: Chunk) => Promise<void>;
}

interface Look<T> {
  /** what can still be undone */
  readonly again: readonly T[];
  readonly stays: readonly Stays[];
}

/**
 * Undoes what a chunk has written and still stands there. What was edited since stays, the clerk's own edits
 * too; a record that it has created goes where it holds what it was created with, and nobody else has worked on it.
 * @returns the chunk as it can be redone, and what stays
 */
export async function revertChunk(
  chunk: Chunk,
  { calls, reach, keep }: PasteRevert,
): Promise<{ readonly again: Chunk; readonly stays: readonly Stays[] }> {
  let back = chunk.back ?? begun(chunk);
  const note = async (next: Partial<Back>) => {
    back = { ...back, ...next, key: newIdempotencyKey() };
    await keep({ ...chunk, back });
  };
  if (!chunk.back) await note({});
  while (back.changes.length > 0) {
    const sent = back.changes;
    const entries = sent.map(({ jrid, values, before, ifMatch }) => ({
      jrid,
      values: Object.fromEntries(Object.keys(values).map((name) => [name, before[name] ?? null])),
      ifMatch,
    }));
    try {
      const written = await reach(() => calls.change(entries, back.key));
      const restored = sent.map((change, i) => ({ ...change, ifMatch: written[i]?.etag ?? null }));
      await note({ changes: [], restored: [...back.restored, ...restored] });
    } catch (error) {
      const refused = refusedEntries(error, sent.length);
      const asked = sent.filter((_, i) => refused.has(i));
      const now = await reach(() => calls.several(asked.map(({ jrid }) => jrid)));
      const { again, stays } = lookAtChanges(asked, now);
      await note({
        changes: [...sent.filter((_, i) => !refused.has(i)), ...again],
        stays: [...back.stays, ...stays],
      });
    }
  }
  while (back.removals.length > 0) {
    const sent = firstOf(back.removals);
    const rest = back.removals.slice(sent.length);
    const ids = sent.flatMap(({ historyIds }) => historyIds);
    // One that has none is to be looked at first.
    const owner = sent.flatMap(({ historyIds }, at) => historyIds.map(() => at));
    const unknown = sent.flatMap(({ historyIds }, at) => (historyIds.length === 0 ? [at] : []));
    let refused: ReadonlySet<number> = new Set(unknown);
    if (refused.size === 0) {
      try {
        const jrids = sent.map(({ jrid }) => jrid);
        await reach(() => calls.undo(ids, jrids, back.key));
        await note({ removals: rest, removed: [...back.removed, ...jrids] });
        continue;
      } catch (error) {
        refused = new Set(
          [...refusedEntries(error, ids.length).keys()].flatMap((at) => owner[at] ?? []),
        );
      }
    }
    const asked = sent.filter((_, i) => refused.has(i));
    const histories = await reach(() =>
      readHistories(
        calls,
        asked.map(({ jrid }) => jrid),
      ),
    );
    const { again, stays } = lookAtRemovals(asked, histories);
    await note({
      removals: [...sent.filter((_, i) => !refused.has(i)), ...again, ...rest],
      stays: [...back.stays, ...stays],
    });
  }
  return { again: toDoAgain(chunk, back), stays: back.stays };
}

/** As long as nobody has touched a record since, its version says so, and nothing needs to be read. */
function begun({ changes, changed, created }: Chunk): Back {
  const versions = new Map(changed?.map(({ jrid, etag }) => [jrid, etag]));
  return {
    changes: changes.map((change) => ({ ...change, ifMatch: versions.get(change.jrid) ?? null })),
    removals: (created ?? []).map(({ jrid, historyId }) => ({
      jrid,
      historyIds: historyId === null ? [] : [historyId],
    })),
    restored: [],
    removed: [],
    stays: [],
    key: '',
  };
}

function lookAtChanges(
  asked: readonly JournalChange[],
  now: ReadonlyMap<string, Stored>,
): Look<JournalChange> {
  const again: JournalChange[] = [];
  const stays: Stays[] = [];
  for (const { jrid, values, before, ifMatch } of asked) {
    const stored = now.get(jrid);
    // Refused for another reason than its version, such as a value that is another record's by now.
    if (!stored || stored.etag === ifMatch) {
      stays.push({ jrid, column: null });
      continue;
    }
    const names = Object.keys(values);
    const still = names.filter((name) => (stored.dataset[name] ?? null) === (values[name] ?? null));
    const own = new Set(still);
    for (const column of names) if (!own.has(column)) stays.push({ jrid, column });
    if (still.length === 0) continue;
    const only = (all: JournalChange['values']) =>
      Object.fromEntries(still.map((name) => [name, all[name] ?? null]));
    again.push({ jrid, values: only(values), before: only(before), ifMatch: stored.etag });
  }
  return { again, stays };
}

function lookAtRemovals(
  asked: readonly Removal[],
  histories: ReadonlyMap<string, readonly HistoryEntry[]>,
): Look<Removal> {
  const again: Removal[] = [];
  const stays: Stays[] = [];
  for (const { jrid, historyIds } of asked) {
    const history = histories.get(jrid) ?? [];
    const creation = history.at(-1);
    const isGone = history[0]?.call.startsWith('DELETE ') === true;
    const edited = creation && !isGone ? editedSince(history, creation) : [];
    const ids = history.map(({ historyId }) => historyId);
    const others = history.some(({ user }) => user !== creation?.user);
    if (edited.length > 0) stays.push(...edited.map((column) => ({ jrid, column })));
    else if (others || isGone || ids.length === 0 || ids.join() === historyIds.join()) {
      stays.push({ jrid, column: null });
    } else again.push({ jrid, historyIds: ids });
  }
  return { again, stays };
}

/** The columns that do not hold any more what the record was created with. */
function editedSince(history: readonly HistoryEntry[], creation: HistoryEntry): readonly string[] {
  const valueIn = ({ changes }: HistoryEntry, column: string) =>
    changes.find(({ name }) => name === column);
  const names = new Set(history.flatMap(({ changes }) => changes.map(({ name }) => name)));
  return [...names].filter((column) => {
    const newest = history.find((entry) => valueIn(entry, column));
    return newest && valueIn(newest, column)?.after !== (valueIn(creation, column)?.after ?? null);
  });
}

function firstOf(removals: readonly Removal[]): readonly Removal[] {
  let entries = 0;
  const end = removals.findIndex(({ historyIds }) => {
    entries += historyIds.length;
    return entries > MOST_ENTRIES;
  });
  return end < 0 ? removals : removals.slice(0, Math.max(1, end));
}

function toDoAgain(chunk: Chunk, { restored, removed }: Back): Chunk {
  const gone = new Set(removed);
  const places = [...(chunk.created ?? []).entries()].filter(([, { jrid }]) => gone.has(jrid));
  const { back: _back, ...others } = chunk;
  return {
    ...others,
    changes: restored,
    creations: places.flatMap(([i]) => chunk.creations.slice(i, i + 1)),
    formerly: places.map(([, { jrid }]) => jrid),
    // The grid has it already.
    left: [],
    changeKey: newIdempotencyKey(),
    createKey: newIdempotencyKey(),
    sent: false,
    changed: null,
    created: null,
  };
}

/** The entries of a batch that the service named as the reason for refusing it, and why. @throws what names none */
export function refusedEntries(error: unknown, sent: number): ReadonlyMap<number, Refusal> {
  const refused = [...refusalsIn(toFailure(error))].filter(([place]) => place < sent);
  if (refused.length === 0) throw error;
  return new Map(refused);
}

/** Names who has changed what stays, and when. */
export async function named(
  stays: readonly Stays[],
  { calls, reach }: Pick<PasteRevert, 'calls' | 'reach'>,
): Promise<readonly LeftCell[]> {
  const found: LeftCell[] = [];
  for (const { jrid, column } of stays) {
    // oxlint-disable-next-line no-await-in-loop -- few, and nobody waits for them
    found.push(await reach(() => whoChanged(calls, jrid, column)));
  }
  return found;
}
