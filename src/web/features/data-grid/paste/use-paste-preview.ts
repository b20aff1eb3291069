import { useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { type ApiFailure, toFailure } from '#web/api/failure.ts';
import { whenPatternsReady } from '#web/api/patterns.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { cellValue } from '../edit-store/edits.ts';
import type { TableRows } from '../rows/use-rows.ts';
import { type FormatAnswers, readAnswers, storeAnswers } from './format-answers.ts';
import { pasteModule } from './lazy-paste-module.ts';
import type { Plan, Target } from './paste-plan.ts';
import type { PlacedClip } from './place-clip.ts';
import { readTargets } from './targets.ts';

interface PastePreviewOptions {
  readonly guid: string;
  readonly username: string;
  readonly allColumns: readonly Column[];
  readonly rows: TableRows;
  readonly editStore: EditStore;
}

/** A preview of a paste. */
export interface PastePreview extends PlacedClip {
  /** the target columns */
  readonly columns: readonly Column[];
  readonly answers: FormatAnswers;
  /** null while it is planned */
  readonly plan: Plan | null;
  readonly failure: ApiFailure | null;
}

/** Plans the paste of several cells, and shows the plan before it is executed. */
export function usePastePreview(options: PastePreviewOptions) {
  const { guid, username, allColumns, rows, editStore } = options;
  const [preview, setPreview] = useState<PastePreview | null>(null);
  const planning = useRef(new AbortController());

  const currentValue = (target: Target, { name }: Column) => {
    if (target.is !== 'record' && target.is !== 'unsaved') return null;
    const stored = target.is === 'record' ? target.stored : null;
    return cellValue(editStore.get(), { key: target.key, stored }, name);
  };

  /** Shows a preview, and plans it; late results for the previous one are not shown, nor why it failed. */
  const show = async (shown: PastePreview): Promise<void> => {
    planning.current.abort();
    const { signal } = (planning.current = new AbortController());
    setPreview(shown);
    const { target } = shown;
    try {
      const targets = await readTargets(rows, target);
      const { planPaste, markDuplicates } = await pasteModule.load();
      await whenPatternsReady(allColumns);
      if (signal.aborted) return;
      const input = { ...shown, allColumns, top: target.top, targets, currentValue };
      const plan = await markDuplicates(planPaste(input), { guid, allColumns, signal });
      if (!signal.aborted) setPreview({ ...shown, plan });
    } catch (error) {
      if (!signal.aborted) setPreview({ ...shown, failure: toFailure(error) });
    }
  };

  return {
    preview,
    currentValue,
    show: (clip: PlacedClip, columns: readonly Column[]) => {
      const answers = readAnswers(username, guid);
      void show({ ...clip, columns, answers, plan: null, failure: null });
    },
    answer: (column: Column, answer: FormatAnswers[string]) => {
      if (!preview) return;
      const answers = { ...preview.answers, [column.name]: answer };
      storeAnswers(username, guid, answers);
      void show({ ...preview, answers });
    },
    /** Plans again after a failure. */
    retry: () => preview && void show({ ...preview, plan: null, failure: null }),
    close: () => {
      planning.current.abort();
      setPreview(null);
    },
  };
}
