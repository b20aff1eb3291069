import { useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { type ApiFailure, summary, toFailure } from '#web/api/failure.ts';
import { pause } from '#web/api/create-store.ts';
import { whenPatternsReady } from '#web/api/patterns.ts';
import { notify } from '#web/ui/notify.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import type { Rect } from '#web/grid/rects.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { cellsOf, valueShown } from '../edit-store/edits.ts';
import { OWN_TYPE } from '../ranges/own-cells.ts';
import type { BlockActions } from '../ranges/use-block-actions.ts';
import type { Grid } from '../use-grid.ts';
import type { GridColumn } from '../use-grid.ts';
import type { TableRows } from '../rows/use-rows.ts';
import { type FormatAnswers, storeAnswers, readAnswers } from './format-answers.ts';
import type { ClipboardForms } from './clipboard.ts';
import type { Clip, ClipCell } from './clip.ts';
import { type PlacedClip, placeClip } from './place-clip.ts';
import { pasteParts } from './lazy-paste-parts.ts';
import { changesRow, type Plan, type PlanInput, type Target } from './paste-plan.ts';
import { entryOf, pastedText, MAX_SMALL_PASTE, writesOf } from './small-paste.ts';
import { targetOf } from './targets.ts';
import { useLargePaste } from './use-large-paste.ts';
import * as undoTexts from '#messages/table-undo.ts';
import * as texts from '#messages/tables.ts';

interface PasteOptions {
  readonly guid: string;
  readonly username: string;
  /** the visible ones, in order */
  readonly columns: readonly GridColumn[];
  readonly allColumns: readonly Column[];
  readonly rows: TableRows;
  readonly grid: Grid;
  readonly editStore: EditStore;
  readonly blockActions: BlockActions;
  readonly canWrite: boolean;
  /** the service has planned a large paste: show its plan */
  readonly onPlanned: (bulkEditId: string) => void;
}

/** A preview of a paste. */
export interface PastePreview {
  /** the target block */
  readonly target: Rect;
  /** columns of the clipboard beyond the last column */
  readonly cutOff: number;
  readonly answers: FormatAnswers;
  /** null while it is planned */
  readonly plan: Plan | null;
  /** rows planned so far */
  readonly planned: number;
  readonly failure: ApiFailure | null;
}

/** What is pasted, and into which columns. */
interface PasteSource {
  readonly placed: PlacedClip;
  readonly into: readonly GridColumn[];
}

/** The service's maximum of rows per paste; larger ones must be imported. */
const MAX_ROWS = 200_000;

/** Milliseconds of planning between two yields that let the page render and handle keys. */
const YIELD_INTERVAL = 20;

/** Pasting into the grid: a single cell at once, several after a preview, and large pastes by a plan of the service. */
export function usePaste(options: PasteOptions) {
  const { guid, username, columns, allColumns, rows, grid, editStore, blockActions, canWrite } =
    options;
  const [preview, setPreview] = useState<PastePreview | null>(null);
  const [failedPastes, setFailedPastes] = useState(0);
  const source = useRef<PasteSource | null>(null);
  const input = useRef<Omit<PlanInput, 'answers'> | null>(null);
  const planning = useRef(new AbortController());
  const { onPlanned } = options;
  const large = useLargePaste({ guid, username, rows, editStore, onPlanned });

  const currentValue = (target: Target, column: Column) => {
    if (target.is !== 'record' && target.is !== 'unsaved') return null;
    const stored = target.is === 'record' ? (target.stored.dataset[column.name] ?? null) : null;
    return valueShown(cellsOf(editStore.get(), target.key).get(column.name), stored);
  };

  /** Starts another preview; late results of the previous one are not shown. */
  const beginPlanning = (): AbortSignal => {
    planning.current.abort();
    planning.current = new AbortController();
    return planning.current.signal;
  };

  /** Shows why a preview failed, unless another one was started. */
  const reportFailure = async (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) setPreview((now) => now && { ...now, failure: toFailure(error) });
    }
  };

  const makePlan = async (answers: FormatAnswers, firstRow: number, signal: AbortSignal) => {
    const { findHolders, planSteps, markDuplicates } = await pasteParts.load();
    await whenPatternsReady(allColumns);
    if (!input.current || signal.aborted) return;
    const steps = planSteps({ ...input.current, answers });
    let startedAt = performance.now();
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        const plan = await markDuplicates(step.value, {
          allColumns,
          firstRow,
          findRecordsByValue: (column, values) => findHolders(guid, column, values, signal),
        });
        if (!signal.aborted) setPreview((now) => now && { ...now, plan, answers });
        return;
      }
      if (performance.now() - startedAt < YIELD_INTERVAL) continue;
      const planned = step.value;
      setPreview((now) => now && { ...now, planned });
      // So that the page stays usable.
      await pause(0);
      if (signal.aborted) return;
      startedAt = performance.now();
    }
  };

  const showPreview = async (from: PasteSource, answers: FormatAnswers) => {
    const { cells, target, cutOff } = from.placed;
    const signal = beginPlanning();
    source.current = from;
    setPreview({ target, cutOff, answers, plan: null, planned: 0, failure: null });
    await reportFailure(signal, async () => {
      const read = await rows.readBetween(target.top, target.bottom);
      if (signal.aborted) return;
      const end = (rows.count ?? 0) - 1;
      input.current = {
        columns: from.into,
        allColumns,
        targets: read.map((row, i) => targetOf(row, target.top + i >= end)),
        cells,
        currentValue,
      };
      await makePlan(answers, target.top + 1, signal);
    });
  };

  const pasteCell = (cell: ClipCell) => {
    const { row, column } = grid;
    if (blockActions.hasSeveralCells()) {
      blockActions.writeToEach(undoTexts.pasting, (into, initialValue) =>
        entryOf(into, cell, initialValue),
      );
    } else if (row && column && !column.readOnly) {
      const listed = row.stored;
      const initialValue = valueShown(
        cellsOf(editStore.get(), row.key).get(column.name),
        listed?.dataset[column.name] ?? null,
      );
      const entry = entryOf(column, cell, initialValue);
      if (entry)
        editStore.write(
          [{ key: row.key, column, initialValue, listed, ...entry }],
          undoTexts.pasting,
        );
    }
  };

  const close = () => {
    planning.current.abort();
    source.current = null;
    input.current = null;
    setPreview(null);
  };

  const writePlan = async (plan: Plan): Promise<void> => {
    const { sequence } = editStore.get();
    const { writes, created } = writesOf(
      plan,
      (row, at) => {
        const [target, column] = [plan.targets[row], plan.columns[at]];
        return target && column ? currentValue(target, column) : null;
      },
      (before) => `new:${sequence + 1 + before}`,
    );
    editStore.write(writes, undoTexts.pasting);
    if (created.length === 0) return;
    await editStore.create(created, allColumns);
    const keys = new Set(created);
    const unsaved = editStore.get().newRows.filter(({ key, stored }) => keys.has(key) && !stored);
    const rows = [...plan.targets.keys()].filter((row) => changesRow(plan, row)).length;
    notify(pastedText(rows, unsaved.length));
    if (unsaved.length > 0) setFailedPastes((count) => count + 1);
  };

  const paste = (clip: Clip | null): void => {
    if (!clip) return;
    if (!canWrite) {
      notify(texts.mayNotWrite);
      return;
    }
    const [block, another] = blockActions.blocks();
    const [first] = clip.rows;
    if (clip.rows.length === 1 && first?.length === 1 && first[0]) pasteCell(first[0]);
    else if (another) notify(texts.oneBlockToPaste);
    else if (clip.rows.length > MAX_ROWS) {
      notify(texts.tooManyRowsPasted(MAX_ROWS));
    } else if (block) {
      const whole = placeClip(clip, block, columns.length, MAX_ROWS);
      const { placed, into } = writableOf(whole, columns);
      if (into.length === 0) notify(texts.mayNotWrite);
      else if (placed.cells.length > MAX_SMALL_PASTE) large.begin(placed, into);
      else void showPreview({ placed, into }, readAnswers(username, guid));
    }
  };

  /** Identifies the target of a paste, which must not change while the code is loading. */
  const targetKey = () => JSON.stringify([blockActions.blocks(), grid.row?.key, grid.column?.name]);
  const latest = useLatest({ paste, targetKey });
  const pasteAfterLoading = async (forms: ClipboardForms): Promise<void> => {
    const before = targetKey();
    try {
      const { readClipboard } = await pasteParts.load();
      if (latest.current.targetKey() === before) latest.current.paste(readClipboard(forms));
      else notify(texts.pasteAgain);
    } catch (error) {
      notify(texts.notPasted(summary(toFailure(error))));
    }
  };

  return {
    preview,
    large,
    /** increases when a paste has left rows in the grid that could not be created */
    failedPastes,
    onPaste: (data: DataTransfer): void => {
      const forms = {
        own: data.getData(OWN_TYPE),
        html: data.getData('text/html'),
        text: data.getData('text/plain'),
      };
      const parts = pasteParts.loaded();
      if (parts) paste(parts.readClipboard(forms));
      else void pasteAfterLoading(forms);
    },
    answer: (column: Column, answer: FormatAnswers[string]) => {
      if (!preview) return;
      const answers = { ...preview.answers, [column.name]: answer };
      storeAnswers(username, guid, answers);
      setPreview({ ...preview, answers });
      const signal = beginPlanning();
      void reportFailure(signal, () => makePlan(answers, preview.target.top + 1, signal));
    },
    /** Plans again after a failure. */
    retry: () => {
      if (preview && source.current) void showPreview(source.current, preview.answers);
    },
    /** Executes the preview. */
    apply: () => {
      const plan = preview?.plan;
      if (!preview || !plan) return;
      const { top, left, bottom, right } = preview.target;
      const [anchor, head] = [
        { row: top, col: left },
        { row: bottom, col: right },
      ];
      void writePlan(plan);
      grid.dispatch({ do: 'block', anchor, head, extent: grid.extent() });
      close();
    },
    close,
  };
}

export type Paste = ReturnType<typeof usePaste>;

/** The columns of a paste whose values can be changed, with their cells. */
function writableOf(placed: PlacedClip, columns: readonly GridColumn[]) {
  const { left, right } = placed.target;
  const all = columns.slice(left - 1, right);
  const into = all.filter(({ readOnly }) => !readOnly);
  if (into.length === all.length) return { placed, into };
  const cells = placed.cells.map((row) => row.filter((_, at) => !all[at]?.readOnly));
  return { placed: { ...placed, cells }, into };
}
