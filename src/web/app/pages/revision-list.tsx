import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Ref } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { ListView } from '#web/api/list-view.ts';
import { useSession } from '#web/api/session.queries.ts';
import { useStore } from '#web/api/use-store.ts';
import { viewsQuery } from '#web/api/views.queries.ts';
import { ArchiveList } from '#web/features/archive-list/archive-list.tsx';
import { LIST_KEYS } from '#web/features/archive-list/list-keys.ts';
import type { ListHandle } from '#web/features/archive-list/revision-grid.tsx';
import { draftsOf } from '#web/features/index-form/drafts.ts';
import { shownView } from '#web/features/views/view-text.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { BulkTask } from './bulk-actions.tsx';
import type { ArchiveWorkspace } from './use-archive-workspace.ts';
import type { Corrections } from './use-corrections.ts';
import { useShowValues } from './use-show-values.ts';

const ListDone = lazyComponent(
  async () => (await import('#web/features/views/list-done.tsx')).ListDone,
);

interface RevisionListProps {
  readonly archive: ArchiveDetail;
  readonly workspace: ArchiveWorkspace;
  /** null if the user may not correct */
  readonly corrections: Corrections | null;
  /** shows another view, with its conditions */
  readonly onShowView: (view: ListView) => void;
  /** a heading's menu requests a condition on a field */
  readonly onFilter: (name: string) => void;
  readonly onBulkTask: (task: BulkTask) => void;
  readonly ref: Ref<ListHandle>;
}

/** The list of an archive's revisions: which are unsaved, how selected ones are corrected, and what comes next. */
export function RevisionList({ ref, ...props }: RevisionListProps) {
  const { archive, workspace, corrections, onShowView, onFilter, onBulkTask } = props;
  const { view } = workspace;
  const client = useQueryClient();
  const { username } = useSession();
  const unsaved = useStore(draftsOf(client, username, archive.table).ids);
  const collection = { kind: 'archive', id: archive.table } as const;
  const showValues = useShowValues(collection, view);
  const { data: views = [] } = useQuery(viewsQuery(collection));
  const currentView = shownView(views, view);
  const openNextUnsaved = () => {
    const ids = [...unsaved];
    const next = ids[(ids.indexOf(view.selected ?? '') + 1) % ids.length];
    if (next !== undefined) workspace.open(next, true);
  };
  return (
    <ArchiveList
      archive={archive}
      rows={workspace.rows}
      view={view}
      onViewChange={workspace.changeView}
      onOpen={workspace.open}
      onClose={workspace.close}
      onFilter={onFilter}
      onCleanUp={showValues}
      unsaved={unsaved}
      onNextUnsaved={openNextUnsaved}
      done={
        currentView && (
          <ListDone
            collection={collection}
            done={currentView}
            view={view}
            keys={LIST_KEYS.correct}
            onViewChange={(next) => {
              onShowView(next);
              workspace.enterList();
            }}
          />
        )
      }
      onCorrectOneByOne={corrections?.startQueueOfSelection}
      onCorrectTogether={
        corrections ? (selection) => onBulkTask({ kind: 'together', selection }) : undefined
      }
      onReview={corrections?.reviewSelection}
      onCorrectByRules={
        corrections ? (selection) => onBulkTask({ kind: 'rules', archive, selection }) : undefined
      }
      ref={ref}
    />
  );
}
