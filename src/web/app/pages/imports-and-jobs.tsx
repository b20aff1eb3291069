import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import type { DrawerTask } from '#web/features/bulk-jobs/bulk-drawer.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

/** An action with spreadsheets, or a job over many records. */
export type ImportTask = DrawerTask | { readonly kind: 'import' };

const BulkDrawer = lazyComponent(
  async () => (await import('#web/features/bulk-jobs/bulk-drawer.tsx')).BulkDrawer,
  { layout: 'overlay' },
);
const SpreadsheetImport = lazyComponent(
  async () => (await import('./spreadsheet-import.tsx')).SpreadsheetImport,
  { layout: 'overlay' },
);

interface ImportsAndJobsProps {
  readonly target: BulkTarget;
  readonly task: ImportTask;
  /** null: back to the list */
  readonly onTask: (task: ImportTask | null) => void;
  /** the application of a plan has begun */
  readonly onApplied?: (bulkEdit: AnsweredBulkEdit) => void;
  /** something may have been written */
  readonly onDone: () => void;
}

/** The dialogs over a list for importing spreadsheets, and for planning, viewing and undoing jobs. */
export function ImportsAndJobs({ target, task, onTask, onApplied, onDone }: ImportsAndJobsProps) {
  const leave = () => onTask(null);
  const done = () => {
    leave();
    onDone();
  };
  return task.kind === 'import' ? (
    <SpreadsheetImport target={target} onApplied={onApplied} onClose={leave} onDone={done} />
  ) : (
    <BulkDrawer target={target} task={task} onApplied={onApplied} onClose={done} />
  );
}
