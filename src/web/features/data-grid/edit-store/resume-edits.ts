import type { Store } from '#web/api/create-store.ts';
import * as undoTexts from '#messages/table-undo.ts';
import type { EditSteps } from '../undo/edit-steps.ts';
import type { StoredEdits } from './edit-database.ts';
import type { Edits } from './edits.ts';
import { mergeEdits } from './merge-edits.ts';
import type { ServerRecords } from './server-records.ts';
import type { PushStep } from './steps.ts';

export interface ResumedStore {
  readonly edits: Store<Edits>;
  readonly undoSteps: Pick<EditSteps, 'steps' | 'restore'>;
  readonly records: Pick<ServerRecords, 'resume'>;
  readonly pushStep: PushStep;
}

/** Adds the stored edits of a closed tab, and sends them. @returns how many entries there were */
export function resumeEdits(
  { edits, undoSteps, records, pushStep }: ResumedStore,
  left: StoredEdits,
  withSteps: boolean,
): number {
  const { edits: merged, cells, count } = mergeEdits(edits.get(), left.edits);
  edits.set(merged);
  if (withSteps) undoSteps.restore(left.steps);
  else if (cells.length > 0) pushStep(undoTexts.closedTab, { cells });
  const jrids = [...left.edits.records.keys()];
  // Records that cannot be loaded now are loaded when the table is opened the next time.
  if (jrids.length > 0) records.resume(jrids).catch(() => undefined);
  return count;
}
