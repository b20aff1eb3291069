import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { ArchiveDetail } from '#shared/answers.ts';
import { bulkTargetOfArchive } from '#web/api/bulk-target.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import type { Chosen } from '#web/features/archive-list/archive-list.tsx';
import type { BulkTask } from '#web/features/bulk-jobs/bulk-drawer.tsx';

/** What is done with many revisions at once. */
export type ManyTask =
  | BulkTask
  | { readonly kind: 'together'; readonly chosen: Chosen }
  | { readonly kind: 'import' };

const BulkEdit = lazy(async () => ({
  default: (await import('#web/features/bulk-edit/bulk-edit.tsx')).BulkEdit,
}));
const BulkDrawer = lazy(async () => ({
  default: (await import('#web/features/bulk-jobs/bulk-drawer.tsx')).BulkDrawer,
}));
const ImportDialog = lazy(async () => ({
  default: (await import('#web/features/spreadsheets/import-dialog.tsx')).ImportDialog,
}));

interface ManyAtOnceProps {
  readonly archive: ArchiveDetail;
  readonly task: ManyTask;
  /** null: the list again */
  readonly onTask: (task: ManyTask | null) => void;
}

/** The dialogs over an archive's list in which many revisions are corrected. */
export function ManyAtOnce({ archive, task, onTask }: ManyAtOnceProps) {
  const client = useQueryClient();
  const target = bulkTargetOfArchive(archive);
  const leave = () => onTask(null);
  const done = () => {
    leave();
    void client.invalidateQueries({ queryKey: archiveKeys.one(archive.table) });
  };
  return <Suspense>{dialog()}</Suspense>;

  function dialog() {
    switch (task.kind) {
      case 'together':
        return <BulkEdit archive={archive} selection={task.chosen} onClose={leave} onDone={done} />;
      case 'import':
        return (
          <ImportDialog
            target={target}
            onClose={leave}
            onPlanned={(bulkEditId) => onTask({ kind: 'job', bulkEditId })}
          />
        );
      default:
        return <BulkDrawer target={target} task={task} onClose={done} />;
    }
  }
}
