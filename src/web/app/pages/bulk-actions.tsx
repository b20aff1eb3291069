import { useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { bulkTargetOfArchive } from '#web/api/bulk-target.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import type { ListSelection } from '#web/api/list-selection.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { type ImportTask, ImportsAndJobs } from './imports-and-jobs.tsx';

/** An action on many revisions at once. */
export type BulkTask =
  | ImportTask
  | { readonly kind: 'together'; readonly selection: ListSelection };

const BulkEdit = lazyComponent(
  async () => (await import('#web/features/bulk-edit/bulk-edit.tsx')).BulkEditPage,
  { layout: 'overlay' },
);

interface BulkActionsProps {
  readonly archive: ArchiveDetail;
  readonly task: BulkTask;
  /** null: back to the list */
  readonly onTask: (task: BulkTask | null) => void;
}

/** The dialogs over an archive's list in which many revisions are corrected at once. */
export function BulkActions({ archive, task, onTask }: BulkActionsProps) {
  const client = useQueryClient();
  const leave = () => onTask(null);
  const invalidate = () =>
    void client.invalidateQueries({ queryKey: archiveKeys.one(archive.table) });
  if (task.kind !== 'together') {
    const target = bulkTargetOfArchive(archive);
    return <ImportsAndJobs target={target} task={task} onTask={onTask} onDone={invalidate} />;
  }
  const done = () => {
    leave();
    invalidate();
  };
  return <BulkEdit archive={archive} selection={task.selection} onClose={leave} onDone={done} />;
}
