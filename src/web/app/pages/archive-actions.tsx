import * as texts from '#messages/archive-list.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { bulkTargetOfArchive } from '#web/api/bulk-target.ts';
import { listQuery } from '#web/api/list-view.ts';
import { columnFields } from '#web/features/archive-list/list-columns.ts';
import { LIST_KEYS } from '#web/features/archive-list/list-keys.ts';
import { LazyChecksMenu } from '#web/features/checks/lazy-checks-menu.tsx';
import { QueueMenu } from '#web/features/correction-queue/queue-menu.tsx';
import { SpreadsheetMenu } from '#web/features/spreadsheets/spreadsheet-menu.tsx';
import { ListToolbar } from '#web/list-tools/list-toolbar.tsx';
import type { FilterStripState } from '#web/list-tools/use-filter-strip.ts';
import type { BulkTask } from './bulk-actions.tsx';
import type { ArchiveWorkspace } from './use-archive-workspace.ts';
import type { Corrections } from './use-corrections.ts';

interface ArchiveActionsProps {
  readonly archive: ArchiveDetail;
  readonly workspace: ArchiveWorkspace;
  readonly filter: FilterStripState;
  /** null if the user may not correct */
  readonly corrections: Corrections | null;
  readonly onBulkTask: (task: BulkTask) => void;
}

/** The tools of an archive's list: search, sort and filter, checks, queues, import and export. */
export function ArchiveActions(props: ArchiveActionsProps) {
  const { archive, workspace, filter, corrections, onBulkTask } = props;
  const { view, rows, changeView } = workspace;
  return (
    <>
      <ListToolbar
        fields={columnFields(archive)}
        label={archive.name}
        initialOrder={texts.initialOrder}
        view={view}
        onViewChange={changeView}
        filtering={filter.isOpen}
        onFiltering={filter.setOpen}
      />
      <LazyChecksMenu
        collection={{ kind: 'archive', id: archive.table }}
        fields={archive.indexFieldDefinitions}
        view={view}
        onViewChange={changeView}
        onReview={corrections?.reviewFirst}
        onCorrect={
          corrections
            ? (check) => corrections.startQueue({ name: check.name, filter: listQuery(check.view) })
            : undefined
        }
      />
      {corrections && (
        <QueueMenu
          archive={archive}
          count={rows.status === 'ready' ? rows.count : null}
          keys={LIST_KEYS.correct}
          onStart={() => corrections.startQueueOfAll(view)}
          onResume={corrections.openQueue}
          onFlagged={(revisionIds) => corrections.startQueue({ revisionIds })}
          onOpen={(id) => workspace.open(id, true)}
        />
      )}
      <SpreadsheetMenu
        target={bulkTargetOfArchive(archive)}
        view={view}
        onImport={corrections ? () => onBulkTask({ kind: 'import' }) : undefined}
        onBulkEdits={corrections ? () => onBulkTask({ kind: 'list' }) : undefined}
      />
    </>
  );
}
