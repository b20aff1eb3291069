import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/overview.ts';
import type { ArchiveSummary } from '#shared/contract/answers.ts';
import type { OpenQueue, View } from '#shared/contract/workspace-answers.ts';
import { listQueryString, writeListView } from '#web/api/list-view.ts';
import { queueWords } from '#web/api/queues.queries.ts';
import { formatCount } from '#shared/messages/format.ts';
import { readView } from '#web/features/views/view-text.ts';
import { viewCountQuery } from '#web/features/views/view-state.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { ArchiveIcon, CheckIcon } from '#web/ui/icons.tsx';
import { useStartQueue } from '../pages/use-start-queue.ts';
import classes from './overview.module.css';
import { isQueueOf } from './queue-of-view.ts';
import { Section } from './section.tsx';
import type { ViewsOfArchive } from './use-views-by-archive.ts';

interface WorkListsProps {
  readonly archives: readonly ArchiveSummary[];
  readonly views: ReadonlyMap<string, ViewsOfArchive>;
  readonly queues: readonly OpenQueue[];
}

/** The saved views of all archives, each with how many revisions it has left and the button that begins with them. */
export function WorkLists({ archives, views, queues }: WorkListsProps) {
  return (
    <Section title={texts.workLists}>
      {archives.length === 0 && <p className={classes.none}>{texts.noArchive}</p>}
      {archives.map((archive) => (
        <ListsOfArchive
          key={archive.table}
          archive={archive}
          lists={views.get(archive.table)}
          queues={queues}
        />
      ))}
    </Section>
  );
}

interface ListsOfArchiveProps {
  readonly archive: ArchiveSummary;
  readonly lists: ViewsOfArchive | undefined;
  readonly queues: readonly OpenQueue[];
}

function ListsOfArchive({ archive, lists, queues }: ListsOfArchiveProps) {
  const { table, name, description, documents } = archive;
  const views = lists?.views ?? [];
  return (
    <article className={classes.card} aria-label={name}>
      <header className={classes.archive}>
        <ArchiveIcon />
        <h3 className={classes.name}>
          <Link to="/archives/$archive" params={{ archive: table }}>
            {name}
          </Link>
        </h3>
        <span className={classes.total}>
          <RichText text={texts.revisions(documents, <b>{formatCount(documents)}</b>)} />
        </span>
        {description !== '' && <p className={classes.description}>{description}</p>}
      </header>
      {lists?.error ? (
        <ErrorPanel
          error={lists.error}
          title={texts.workListsNotRead}
          onRetry={() => void lists.refetch()}
        />
      ) : views.length === 0 ? (
        <p className={classes.none}>{texts.noWorkLists}</p>
      ) : (
        <ul className={classes.lists}>
          {views.map((view) => (
            <WorkList
              key={view.viewId}
              archive={archive}
              view={view}
              queue={queues.find((queue) => isQueueOf(queue, table, view))}
            />
          ))}
        </ul>
      )}
    </article>
  );
}

interface WorkListProps {
  readonly archive: ArchiveSummary;
  readonly view: View;
  /** the unfinished queue that was made of it last */
  readonly queue: OpenQueue | undefined;
}

function WorkList({ archive, view, queue }: WorkListProps) {
  const { table, rights } = archive;
  const list = readView(view.search);
  const count = useQuery(viewCountQuery({ kind: 'archive', id: table }, list));
  const { start } = useStartQueue(table);
  const starting = useMutation({
    mutationFn: () => start({ name: view.name, filter: listQueryString(list).slice(1) }),
  });
  const search = writeListView({ ...list, view: view.viewId });
  return (
    <li className={classes.list}>
      <Link
        to="/archives/$archive"
        params={{ archive: table }}
        search={search}
        className={classes.listName}
      >
        {view.name}
      </Link>
      <span className={classes.progress}>
        {queue ? (
          <Progress done={queue.position} place={queue.position + 1} total={queue.total} />
        ) : (
          rights !== 'read' &&
          count.data !== undefined &&
          count.data > 0 && <Progress done={0} place={0} total={count.data} />
        )}
      </span>
      <span className={classes.count}>
        <Count count={count.data} failed={count.isError} />
      </span>
      <span className={classes.act}>
        {rights !== 'read' && queue && (
          <Link
            to="/archives/$archive/queue/$queueId"
            params={{ archive: table, queueId: queue.queueId }}
            className={classes.resume}
            aria-label={texts.resumeQueue(queueWords(queue))}
          >
            {texts.resume}
          </Link>
        )}
        {rights !== 'read' && !queue && count.data !== 0 && (
          <Button
            variant="light"
            aria-label={texts.startList(view.name)}
            loading={starting.isPending}
            onClick={() => starting.mutate()}
          >
            {texts.start}
          </Button>
        )}
      </span>
    </li>
  );
}

function Count({
  count,
  failed,
}: {
  readonly count: number | undefined;
  readonly failed: boolean;
}) {
  if (count === undefined) return failed ? <span title={texts.notCounted}>?</span> : '';
  if (count > 0) return formatCount(count);
  return (
    <span className={classes.done}>
      <CheckIcon size={14} /> {commonTexts.done}
    </span>
  );
}

interface ProgressProps {
  /** revisions that are behind the clerk */
  readonly done: number;
  /** the revision at which the clerk is, from 1; 0: the list was not begun */
  readonly place: number;
  readonly total: number;
}

/** How far a work list is, as a bar and as words. */
function Progress({ done, place, total }: ProgressProps) {
  return (
    <>
      <progress
        className={classes.bar}
        value={done}
        max={total}
        aria-label={commonTexts.progress}
      />
      <span className={classes.place}>{texts.placeInList({ place, total })}</span>
    </>
  );
}
