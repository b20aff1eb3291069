import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { joinList } from '#shared/rules/comma-list.ts';
import { type ListView, listQuery } from '#web/api/list-view.ts';
import { reviewLink } from '#web/api/review-link.ts';
import { viewsQuery } from '#web/api/views.queries.ts';
import type { ListSelection } from '#web/api/list-selection.ts';
import type { QueueContent } from '#web/features/correction-queue/queue.mutations.ts';
import { shownView } from '#web/features/views/view-text.ts';
import { useStartQueue } from '../use-start-queue.ts';

/** Starts the correction of revisions, one by one in a queue or one field at a time; null if the user may not correct. */
export function useCorrections(archive: ArchiveDetail) {
  const navigate = useNavigate();
  const { data: views = [] } = useQuery(viewsQuery({ kind: 'archive', id: archive.table }));
  const queues = useStartQueue(archive.table);
  /** all matches, under the name of the saved view that describes them, if there is one */
  const allMatchesOf = (view: ListView): QueueContent => {
    const name = shownView(views, view)?.name;
    const filter = listQuery(view);
    return name === undefined ? { filter } : { filter, name };
  };
  const startQueue = (content: QueueContent) => void queues.start(content);
  const review = (field: string | null, view: ListView) =>
    void navigate(reviewLink(archive.table, field, view));
  if (archive.rights === 'read') return null;
  return {
    startQueue,
    startQueueOfAll: (view: ListView) => startQueue(allMatchesOf(view)),
    startQueueOfSelection: (selection: ListSelection) =>
      startQueue(
        selection.kind === 'ids' ? { revisionIds: selection.ids } : allMatchesOf(selection.view),
      ),
    openQueue: queues.open,
    reviewSelection: (field: string | null, selection: ListSelection) =>
      review(
        field,
        selection.kind === 'all'
          ? selection.view
          : { where: [{ field: 'revisionId', op: 'in', value: joinList(selection.ids) }] },
      ),
    /** @param fields of which the first that can be changed is reviewed */
    reviewFirst: (fields: readonly string[], view: ListView) => {
      const field = archive.indexFieldDefinitions.find(
        ({ name, readOnly }) => readOnly !== true && fields.includes(name),
      );
      review(field?.name ?? null, view);
    },
  };
}

export type Corrections = NonNullable<ReturnType<typeof useCorrections>>;
