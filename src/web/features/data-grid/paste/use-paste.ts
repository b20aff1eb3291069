import { useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { type ApiFailure, toFailure } from '#web/api/failure.ts';
import { formatCount } from '#shared/messages/format.ts';
import { pause } from '#web/api/create-store.ts';
import { notify } from '#web/ui/notify.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { cellsOf, valueShown } from '../edit-store/edits.ts';
import { OWN_TYPE } from '../ranges/own-cells.ts';
import { columnsOf, type Rect, rowsOf } from '#web/grid/rects.ts';
import type { BlockActs } from '../ranges/use-block-acts.ts';
import type { Grid } from '../use-grid.ts';
import type { Row, Rows } from '../rows/use-rows.ts';
import { type HabitAnswers, keepAnswers, readAnswers } from './answers.ts';
import { readClipboard } from './clipboard.ts';
import type { Clip, ClipCell } from './clip.ts';
import { isTouched, MARK, type Plan, type PlanInput, planSteps, type Target } from './plan.ts';
import { entryOf, SMALL_PASTE, writesOf } from './small-paste.ts';
import { jobParts } from './paste-jobs.ts';
import { usePasteJob } from './use-paste-job.ts';

interface PasteOptions {
  readonly guid: string;
  readonly username: string;
  /** those shown, in their order */
  readonly columns: readonly Column[];
  readonly allColumns: readonly Column[];
  readonly rows: Rows;
  readonly grid: Grid;
  readonly editStore: EditStore;
  readonly acts: BlockActs;
  readonly canWrite: boolean;
}

/** A paste that the clerk looks at before it is done. */
export interface Preview {
  /** where it goes */
  readonly place: Rect;
  /** columns of the clipboard that lie past the last one */
  readonly cutOff: number;
  readonly answers: HabitAnswers;
  /** null while it is planned */
  readonly plan: Plan | null;
  /** rows planned so far */
  readonly planned: number;
  readonly failure: ApiFailure | null;
}

/** What a browser holds and compares at once; more is for an import. */
const MOST_ROWS = 200_000;

const GONE: Target = { is: 'gone' };

/** Milliseconds of planning between two breaths of the page. */
const AT_A_TIME = 20;

/** Pasting into the grid: one cell at once, several after a look at what they would change. */
export function usePaste(options: PasteOptions) {
  const { guid, username, columns, allColumns, rows, grid, editStore, acts, canWrite } = options;
  const [preview, setPreview] = useState<Preview | null>(null);
  const input = useRef<Omit<PlanInput, 'answers'> | null>(null);
  const planning = useRef(new AbortController());
  const job = usePasteJob({
    guid,
    username,
    columns: allColumns,
    editStore,
    canWrite,
    onWritten: rows.readAnew,
  });

  const current = (target: Target, column: Column) => {
    if (target.is !== 'record' && target.is !== 'typed') return null;
    const stored = target.is === 'record' ? (target.stored.dataset[column.name] ?? null) : null;
    return valueShown(cellsOf(editStore.get(), target.key).get(column.name), stored);
  };

  /** Begins another preview: what is still awaited for the one before must not be shown any more. */
  const beginPlanning = (): AbortSignal => {
    planning.current.abort();
    planning.current = new AbortController();
    return planning.current.signal;
  };

  /** Shows why a preview cannot be made, unless another one was begun. */
  const unlessAborted = async (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) setPreview((now) => now && { ...now, failure: toFailure(error) });
    }
  };

  const makePlan = async (answers: HabitAnswers, firstRow: number, signal: AbortSignal) => {
    if (!input.current) return;
    const steps = planSteps({ ...input.current, answers });
    let breathed = performance.now();
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        // oxlint-disable-next-line no-await-in-loop -- the last step
        const { findHolders, withUniqueMarked } = await jobParts.fetch();
        // oxlint-disable-next-line no-await-in-loop -- the last step
        const plan = await withUniqueMarked(step.value, {
          allColumns,
          firstRow,
          findHolders: (column, values) => findHolders(guid, column, values, signal),
        });
        if (!signal.aborted) setPreview((now) => now && { ...now, plan, answers });
        return;
      }
      if (performance.now() - breathed < AT_A_TIME) continue;
      const planned = step.value;
      setPreview((now) => now && { ...now, planned });
      // oxlint-disable-next-line no-await-in-loop -- so that the page can be used meanwhile
      await pause(0);
      if (signal.aborted) return;
      breathed = performance.now();
    }
  };

  const look = async (clip: Clip, at: Rect) => {
    const { cells, place, cutOff } = placed(clip, at, columns.length);
    const answers = readAnswers(username, guid);
    const signal = beginPlanning();
    setPreview({ place, cutOff, answers, plan: null, planned: 0, failure: null });
    await unlessAborted(signal, async () => {
      const read = await rows.readBetween(place.top, place.bottom);
      if (signal.aborted) return;
      const end = (rows.count ?? 0) - 1;
      input.current = {
        columns: columns.slice(place.left - 1, place.right),
        allColumns,
        targets: read.map((row, i) => targetOf(row, place.top + i >= end)),
        cells,
        current,
      };
      await makePlan(answers, place.top + 1, signal);
    });
  };

  const putOne = (cell: ClipCell) => {
    const { row, column } = grid;
    if (acts.several()) {
      acts.enter('pasting', (into, seen) => entryOf(into, cell, seen));
    } else if (row && column) {
      const listed = row.stored;
      const seen = valueShown(
        cellsOf(editStore.get(), row.key).get(column.name),
        listed?.dataset[column.name] ?? null,
      );
      const entry = entryOf(column, cell, seen);
      if (entry) editStore.write([{ key: row.key, column, seen, listed, ...entry }], 'pasting');
    }
  };

  const close = () => {
    planning.current.abort();
    input.current = null;
    setPreview(null);
  };

  const goSmall = (plan: Plan) => {
    const { sequence } = editStore.get();
    const { writes, created } = writesOf(
      plan,
      (row, at) => {
        const [target, column] = [plan.targets[row], plan.columns[at]];
        return target && column ? current(target, column) : null;
      },
      (before) => `new:${sequence + 1 + before}`,
    );
    editStore.write(writes, 'pasting');
    for (const key of created) void editStore.create(key, allColumns);
  };

  /** What was typed into a cell before gives way to what is pasted into it. */
  const forgetTyped = ({ targets, columns, marks }: Plan) => {
    const { records } = editStore.get();
    if (records.size === 0) return;
    for (const [row, target] of targets.entries()) {
      const typed = target.is === 'record' ? records.get(target.key) : undefined;
      if (target.is !== 'record' || !typed) continue;
      for (const [at, { name }] of columns.entries()) {
        const isPasted = marks[row * columns.length + at] === MARK.changed;
        if (isPasted && typed.has(name)) editStore.restore(target.key, name);
      }
    }
  };

  return {
    preview,
    job,
    onPaste: (data: DataTransfer): void => {
      const clip = readClipboard({
        own: data.getData(OWN_TYPE),
        html: data.getData('text/html'),
        text: data.getData('text/plain'),
      });
      if (!clip) return;
      if (!canWrite) {
        notify('You may look at this table but not change it.');
        return;
      }
      const [block, another] = acts.blocks();
      const [first] = clip.rows;
      if (clip.rows.length === 1 && first?.length === 1 && first[0]) putOne(first[0]);
      else if (another) notify('Nothing is pasted into several separate selections. Select one.');
      else if (clip.rows.length > MOST_ROWS) {
        notify(`At most ${formatCount(MOST_ROWS)} rows are pasted at once. Use Import.`);
      } else if (block) void look(clip, block);
    },
    answer: (column: Column, answer: HabitAnswers[string]) => {
      if (!preview) return;
      const answers = { ...preview.answers, [column.name]: answer };
      keepAnswers(username, guid, answers);
      setPreview({ ...preview, answers });
      const signal = beginPlanning();
      void unlessAborted(signal, () => makePlan(answers, preview.place.top + 1, signal));
    },
    /** Does what the preview shows. */
    go: async () => {
      const plan = preview?.plan;
      if (!preview || !plan) return;
      const { top, left, bottom, right } = preview.place;
      try {
        // Rows that are created are one step to undo only there.
        const creates = plan.targets.some(({ is }, row) => is === 'fresh' && isTouched(plan, row));
        if (creates || plan.targets.length > SMALL_PASTE) {
          await job.begin(plan);
          // Rows that the server has not yet are still the desk's.
          goSmall({
            ...plan,
            targets: plan.targets.map((target) => (target.is === 'typed' ? target : GONE)),
          });
          forgetTyped(plan);
        } else {
          goSmall(plan);
          const [anchor, head] = [
            { row: top, col: left },
            { row: bottom, col: right },
          ];
          grid.dispatch({ do: 'block', anchor, head, extent: grid.extent() });
        }
        close();
      } catch (error) {
        setPreview((now) => now && { ...now, failure: toFailure(error) });
      }
    },
    close,
  };
}

export type Paste = ReturnType<typeof usePaste>;

function targetOf(row: Row | null, isPastEnd: boolean): Target {
  if (row?.kind === 'record' && row.stored) {
    return { is: 'record', key: row.key, stored: row.stored };
  }
  if (row?.kind === 'new') return { is: 'typed', key: row.key };
  return isPastEnd ? { is: 'fresh' } : { is: 'gone' };
}

/** Where a clip goes; over a larger selection that it fits into several times it is repeated. */
function placed({ rows }: Clip, at: Rect, columnCount: number) {
  const height = rows.length;
  const width = Math.max(...sizesOf(rows));
  const fits = rowsOf(at) % height === 0 && columnsOf(at) % width === 0;
  const repeated = fits && rowsOf(at) <= MOST_ROWS;
  const down = repeated ? rowsOf(at) / height : 1;
  const across = repeated ? columnsOf(at) / width : 1;
  const wide =
    across === 1 ? rows : rows.map((row) => Array.from({ length: across }, () => row).flat());
  const cells = down === 1 ? wide : Array.from({ length: down }, () => wide).flat();
  const right = Math.min(at.left + width * across - 1, columnCount);
  const place: Rect = { ...at, bottom: at.top + cells.length - 1, right };
  return { cells, place, cutOff: at.left + width * across - 1 - right };
}

/** Rows of different lengths are few; spreading all of them as arguments would be too many. */
function sizesOf(rows: Clip['rows']): number[] {
  return [...new Set(rows.map((row) => row.length))];
}
