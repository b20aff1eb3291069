import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { type ListView, listQuery } from '#web/api/list-view.ts';
import { useSession } from '#web/api/session.queries.ts';
import { LIST_KEYS } from '#web/features/archive-list/list-keys.ts';
import { skippedOf } from '#web/features/correction-queue/skipped-and-flagged.ts';
import { QueueEnd } from '#web/features/correction-queue/queue-end.tsx';
import type { QueueNavigator } from '#web/features/correction-queue/use-queue.ts';
import { NextList } from '#web/features/views/next-list.tsx';
import { readView, shownView } from '#web/features/views/view-text.ts';
import { viewsQuery } from '#web/api/views.queries.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { UndoCompletedQueue } from './undo-completed-queue.tsx';
import type { useStartQueue } from '../use-start-queue.ts';

const BackToDesign = lazyComponent(
  async () => (await import('#web/features/definitions/back-to-design.tsx')).BackToDesign,
);

interface QueueCompleteProps {
  readonly archive: ArchiveDetail;
  readonly queueNavigator: QueueNavigator;
  /** the filter by which the queue was filled; empty if it was filled by ids */
  readonly filter: ListView;
  readonly onLeave: () => void;
  /** starts another queue */
  readonly onStart: ReturnType<typeof useStartQueue>['start'];
  readonly onOpen: (revisionId: string) => void;
}

/** The end of a queue: the remaining revisions, the next list, and undoing the last save. */
export function QueueComplete(props: QueueCompleteProps) {
  const { archive, queueNavigator, filter, onLeave, onStart, onOpen } = props;
  const client = useQueryClient();
  const { role } = useSession();
  const collection = { kind: 'archive', id: archive.table } as const;
  const { data: views = [] } = useQuery(viewsQuery(collection));
  return (
    <QueueEnd
      archive={archive.table}
      queueNavigator={queueNavigator}
      onLeave={onLeave}
      onSkipped={() =>
        void onStart(async () => ({
          revisionIds: await skippedOf(client, archive.table, queueNavigator.queue),
        }))
      }
      onFlagged={(revisionIds) => void onStart({ revisionIds })}
    >
      <NextList
        collection={collection}
        after={shownView(views, filter)}
        keys={LIST_KEYS.correct}
        onNext={({ name, search }) => void onStart({ name, filter: listQuery(readView(search)) })}
      />
      {role === 'administrator' && <BackToDesign archive={archive.table} />}
      <UndoCompletedQueue
        archive={archive.table}
        onOpen={onOpen}
        onReverted={queueNavigator.markSaveState}
      />
    </QueueEnd>
  );
}
