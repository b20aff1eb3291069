import { useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { pause } from '#web/api/create-store.ts';
import { type ApiFailure, toFailure } from '#web/api/failure.ts';
import { whenPatternsReady } from '#web/api/patterns.ts';
import type { Rect } from '#web/grid/rects.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { cellValue } from '../edit-store/edits.ts';
import type { TableRows } from '../rows/use-rows.ts';
import type { TableField } from '../columns/table-fields.ts';
import { type FormatAnswers, readAnswers, storeAnswers } from './format-answers.ts';
import { pasteModule } from './lazy-paste-module.ts';
import type { Plan, PlanInput, Target } from './paste-plan.ts';
import type { PlacedClip } from './place-clip.ts';
import { targetOf } from './targets.ts';

interface PastePreviewOptions {
  readonly guid: string;
  readonly username: string;
  readonly allColumns: readonly Column[];
  readonly rows: TableRows;
  readonly editStore: EditStore;
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
  readonly into: readonly TableField[];
}

/** Milliseconds of planning between two yields that let the page render and handle keys. */
const YIELD_INTERVAL = 20;

/** Plans the paste of several cells, and shows the plan before it is executed. */
export function usePastePreview(options: PastePreviewOptions) {
  const { guid, username, allColumns, rows, editStore } = options;
  const [preview, setPreview] = useState<PastePreview | null>(null);
  const source = useRef<PasteSource | null>(null);
  const input = useRef<Omit<PlanInput, 'answers'> | null>(null);
  const planning = useRef(new AbortController());

  const currentValue = (target: Target, { name }: Column) => {
    if (target.is !== 'record' && target.is !== 'unsaved') return null;
    const stored = target.is === 'record' ? target.stored : null;
    return cellValue(editStore.get(), { key: target.key, stored }, name);
  };

  /** Plans for another preview; late results of the previous one are not shown, nor why it failed. */
  const startPlanning = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    planning.current.abort();
    planning.current = new AbortController();
    const { signal } = planning.current;
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) setPreview((now) => now && { ...now, failure: toFailure(error) });
    }
  };

  const makePlan = async (answers: FormatAnswers, firstRow: number, signal: AbortSignal) => {
    const { findHolders, planSteps, markDuplicates } = await pasteModule.load();
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

  const show = (from: PasteSource, answers = readAnswers(username, guid)) => {
    const { cells, target, cutOff } = from.placed;
    source.current = from;
    setPreview({ target, cutOff, answers, plan: null, planned: 0, failure: null });
    void startPlanning(async (signal) => {
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

  return {
    preview,
    currentValue,
    show,
    answer: (column: Column, answer: FormatAnswers[string]) => {
      if (!preview) return;
      const answers = { ...preview.answers, [column.name]: answer };
      storeAnswers(username, guid, answers);
      setPreview({ ...preview, answers });
      void startPlanning((signal) => makePlan(answers, preview.target.top + 1, signal));
    },
    /** Plans again after a failure. */
    retry: () => {
      if (preview && source.current) show(source.current, preview.answers);
    },
    close: () => {
      planning.current.abort();
      source.current = null;
      input.current = null;
      setPreview(null);
    },
  };
}
