import type { Column } from '#shared/rules/definitions.ts';
import {
  type DatasetCalls,
  datasetCalls,
} from '#web/features/data-grid/edit-store/datasets.calls.ts';
import { createEditStore } from '#web/features/data-grid/edit-store/edit-store.ts';
import type { StoredEdits } from '#web/features/data-grid/edit-store/edit-database.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import {
  cellsOf,
  emptyRowKey,
  isNewRow,
  type RowKey,
  type ServerRecord,
  valueShown,
} from '#web/features/data-grid/edit-store/edits.ts';
import { NO_STEPS } from '#web/features/data-grid/edit-store/steps.ts';
import { revertNewest } from '#web/features/data-grid/undo/revert-newest.ts';

interface Typed {
  readonly column: string;
  readonly text: string;
}

/** A tab with the desk of one table, without the page around it, that can be killed at any moment. */
export async function openTab(guid: string, columns: readonly Column[], jrids: readonly string[]) {
  const life = { ended: false };
  const calls = mortal(datasetCalls(guid), life);
  const shown = await calls.several(jrids);
  /** all records that it ever knew */
  const known = new Set<string>();
  const desk = createEditStore(calls, (stored) => {
    shown.set(stored.dataset.jrid, stored);
    known.add(stored.dataset.jrid);
  });
  const context = { editStore: desk, columns, username: 'clerk' };
  /** what was typed last into each cell, and not undone */
  const typed = new Map<string, Typed>();
  const turns: Promise<unknown>[] = [];
  const columnOf = (name: string): Column => {
    const column = columns.find((column) => column.name === name);
    if (!column) throw new Error('There is no such column.');
    return column;
  };
  /** By the record once it is there, so that typing over is the same cell. */
  const cellOf = (key: RowKey, column: string) => {
    const row = desk.get().newRows.find((row) => row.key === key);
    return `${row?.stored?.dataset.jrid ?? key} ${column}`;
  };

  return {
    shown,
    known,
    typed,
    /** The key of one of the rows that stand at the end; a fresh one where there are fewer. */
    newRow(index: number): RowKey {
      return desk.get().newRows[index]?.key ?? emptyRowKey(desk.get());
    },
    type(key: RowKey, name: string, text: string): void {
      const column = columnOf(name);
      const created = desk.get().newRows.find((row) => row.key === key)?.stored;
      const listed: ServerRecord | null = isNewRow(key)
        ? (created ?? null)
        : (shown.get(key) ?? null);
      const edit = cellsOf(desk.get(), key).get(name);
      const initialValue = valueShown(edit, listed?.dataset[name] ?? null);
      desk.write([{ key, column, typed: text, initialValue, listed }], 'typing');
      typed.delete(`${key} ${name}`);
      typed.set(cellOf(key, name), { column: name, text });
    },
    create: (key: RowKey) => desk.create([key], columns),
    /** Writes one value into a column of several rows, as filling does. */
    fill(keys: readonly RowKey[], name: string, value: Scalar): void {
      const column = columnOf(name);
      const writes = keys.map((key) => {
        const listed = shown.get(key) ?? null;
        const edit = cellsOf(desk.get(), key).get(name);
        const initialValue = valueShown(edit, listed?.dataset[name] ?? null);
        return { key, column, value, initialValue, listed };
      });
      desk.write(writes, 'filling cells');
    },
    async delete(jrid: string): Promise<void> {
      await calls.delete([{ jrid }]);
      desk.rememberDeletion([jrid], 'deleting');
      desk.forgetRecords([jrid]);
      shown.delete(jrid);
    },
    /** What a cell holds: its value, or `?` and what was typed where that cannot be read. */
    content(key: RowKey, name: string): Scalar {
      const edit = cellsOf(desk.get(), key).get(name);
      if (edit?.status.is === 'unread') return edit.text === null ? null : `?${edit.text}`;
      return valueShown(edit, shown.get(key)?.dataset[name] ?? null);
    },
    /** The rows that are not created yet. */
    rows: () =>
      desk.get().newRows.flatMap(({ key, stored }): readonly RowKey[] => (stored ? [] : [key])),
    /** As when the keyboard goes elsewhere. */
    leaveNewRows(): void {
      for (const { key, stored, is } of desk.get().newRows) {
        if (!stored && is !== 'refused') void desk.create([key], columns);
      }
    },
    turn(way: 'undo' | 'redo'): void {
      typed.clear();
      turns.push(revertNewest(way, context, () => Promise.resolve()).catch(() => null));
    },
    async hear(jrids: readonly string[]): Promise<void> {
      for (let left = jrids; left.length > 0;) {
        const askedAt = performance.now();
        const found = await calls.several(left);
        const later = desk.applyRemote(left, found, askedAt);
        for (const jrid of left) if (!found.has(jrid) && !later.includes(jrid)) shown.delete(jrid);
        left = later;
        // An answer is under way; what it says is newer.
        if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    /** Whether nothing is on its way any more. */
    async isSettled(): Promise<boolean> {
      const { records, newRows } = desk.get();
      const waits = [...records.values()].some((cells) =>
        [...cells.values()].some(({ status }) => status.is === 'waiting'),
      );
      const turned = Promise.all(turns).then(() => true);
      const done = await Promise.race([turned, new Promise((r) => setTimeout(r, 20, false))]);
      return (
        !waits && done === true && !newRows.some(({ is, stored }) => is === 'sending' && !stored)
      );
    },
    /** Ends it as the browser does, at once; returns what it had written to the disk. */
    kill(): StoredEdits {
      life.ended = true;
      return structuredClone(desk.snapshot() ?? { edits: desk.get(), steps: NO_STEPS });
    },
    /** Resumes what a killed tab has left. */
    resume(
      left: StoredEdits,
      before: ReadonlyMap<string, Typed>,
      options: { readonly withSteps: boolean },
    ): void {
      desk.resume(left, options);
      for (const [cell, what] of before) typed.set(cell, what);
      this.leaveNewRows();
    },
    /** What stands in cells without being at the server, as `column text`. */
    standing(): ReadonlySet<string> {
      const { records, newRows } = desk.get();
      const cells = [...records.values(), ...newRows.map((row) => row.cells)];
      return new Set(cells.flatMap((row) => [...row].map(([name, { text }]) => `${name} ${text}`)));
    },
  };
}

export type Tab = Awaited<ReturnType<typeof openTab>>;

/** Calls of a tab: once it has ended, none is begun and no answer is heard. */
function mortal(calls: DatasetCalls, life: { readonly ended: boolean }): DatasetCalls {
  const never = () => new Promise<never>(() => undefined);
  const alive =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (life.ended) return never();
      try {
        const answer = await call(...args);
        return life.ended ? await never() : answer;
      } catch (error) {
        if (life.ended) return never();
        throw error;
      }
    };
  return {
    get: alive(calls.get),
    put: alive(calls.put),
    several: alive(calls.several),
    history: alive(calls.history),
    deletions: alive(calls.deletions),
    undo: alive(calls.undo),
    delete: alive(calls.delete),
    create: alive(calls.create),
  };
}
