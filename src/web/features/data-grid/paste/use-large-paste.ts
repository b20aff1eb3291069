import { useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import type { Notation } from '#shared/values/readings.ts';
import { pause } from '#web/api/create-store.ts';
import { type ApiFailure, summary, toFailure } from '#web/api/failure.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { TableRows } from '../rows/use-rows.ts';
import { type FormatAnswers, storeAnswers, readAnswers } from './format-answers.ts';
import { pasteModule } from './lazy-paste-module.ts';
import { type PastedRow, usePastePlan } from './paste.mutations.ts';
import type { PlacedClip } from './place-clip.ts';
import type { FormatQuestion, Target } from './paste-plan.ts';
import { readTargets } from './targets.ts';

/** A paste for the service to plan. */
export interface LargePaste extends PlacedClip {
  /** the target columns */
  readonly columns: readonly Column[];
  readonly questions: readonly FormatQuestion[];
  readonly answers: FormatAnswers;
  /** the present step; null: questions wait for answers, or it has failed */
  readonly step: 'saving' | 'reading' | 'planning' | null;
  readonly rowsRead: number;
  readonly failure: ApiFailure | null;
}

interface LargePasteOptions {
  readonly guid: string;
  readonly username: string;
  readonly rows: TableRows;
  readonly editStore: EditStore;
  /** the service has planned it: show the plan */
  readonly onPlanned: (bulkEditId: string) => void;
}

/** Milliseconds of work between two yields that let the page render and handle keys. */
const YIELD_INTERVAL = 20;

/** Pastes of more rows than the grid writes itself: the clipboard is parsed here, and the service does the rest. */
export function useLargePaste({ guid, username, rows, editStore, onPlanned }: LargePasteOptions) {
  const [shown, setShown] = useState<LargePaste | null>(null);
  const running = useRef(new AbortController());
  const { mutateAsync } = usePastePlan(guid);
  const update = (change: Partial<LargePaste>) => setShown((now) => now && { ...now, ...change });

  const rowsOf = async (
    { columns, cells }: LargePaste,
    targets: readonly Target[],
    notations: readonly Notation[],
    signal: AbortSignal,
  ): Promise<PastedRow[]> => {
    const { pastedRow } = await pasteModule.load();
    const found: PastedRow[] = [];
    let startedAt = performance.now();
    for (const [row, target] of targets.entries()) {
      found.push(pastedRow(columns, notations, target, cells[row]));
      if (performance.now() - startedAt < YIELD_INTERVAL) continue;
      update({ rowsRead: row + 1 });
      // So that the page stays usable.
      await pause(0, signal);
      startedAt = performance.now();
    }
    return found;
  };

  const send = async (paste: LargePaste) => {
    running.current.abort();
    const { signal } = (running.current = new AbortController());
    try {
      update({ step: 'saving', failure: null });
      await editStore.whenSaved(signal);
      update({ step: 'reading' });
      const targets = await readTargets(rows, paste.target);
      const { readNotations, unsavedRows } = await pasteModule.load();
      signal.throwIfAborted();
      if (targets.some(({ is }) => is === 'unsaved')) {
        setShown(null);
        notify(unsavedRows);
        return;
      }
      const { notations } = readNotations(paste);
      const datasets = await rowsOf(paste, targets, notations, signal);
      signal.throwIfAborted();
      update({ step: 'planning' });
      const columns = paste.columns.map(({ name }, at) => ({
        field: name,
        decimal: notations[at]?.decimal ?? null,
        order: notations[at]?.order ?? null,
      }));
      const bulkEditId = await mutateAsync({ columns, datasets });
      if (signal.aborted) return;
      setShown(null);
      onPlanned(bulkEditId);
    } catch (error) {
      if (!signal.aborted) update({ step: null, failure: toFailure(error) });
    }
  };

  const begin = async (clip: PlacedClip, columns: readonly Column[]) => {
    const answers = readAnswers(username, guid);
    const { readNotations } = await pasteModule.load();
    const { questions } = readNotations({ columns, cells: clip.cells, answers });
    const paste = { ...clip, columns, questions, answers, step: null, rowsRead: 0, failure: null };
    setShown(paste);
    if (isAnswered(paste)) void send(paste);
  };
  const close = () => {
    running.current.abort();
    setShown(null);
  };
  return {
    shown,
    begin: (clip: PlacedClip, columns: readonly Column[]) => {
      begin(clip, columns).catch((error: unknown) => notifyFailure(summary(toFailure(error))));
    },
    answer: (column: Column, answer: FormatAnswers[string]) => {
      if (!shown) return;
      const answers = { ...shown.answers, [column.name]: answer };
      storeAnswers(username, guid, answers);
      update({ answers });
    },
    send: () => shown && isAnswered(shown) && void send(shown),
    close,
  };
}

export type LargePasteState = ReturnType<typeof useLargePaste>;

/** Whether all questions have answers. */
export function isAnswered({
  questions,
  answers,
}: Pick<LargePaste, 'questions' | 'answers'>): boolean {
  return questions.every(({ column }) => answers[column.name] !== undefined);
}
