import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import * as commonTexts from '#messages/common.ts';
import { labelAndName } from '#messages/labels.ts';
import * as texts from '#messages/overview.ts';
import type { ArchiveSummary } from '#shared/contract/answers.ts';
import type { OpenQueue } from '#shared/contract/workspace-answers.ts';
import { listQuery, writeListView } from '#web/api/list-view.ts';
import { queueText } from '#web/api/queues.queries.ts';
import { formatCount } from '#shared/messages/format.ts';
import { viewCountQuery } from '#web/features/views/view-state.queries.ts';
import { ButtonLink } from '#web/ui/button-link.tsx';
import { Button } from '#web/ui/button.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { ArchiveIcon, CheckIcon } from '#web/ui/icons.tsx';
import shared from '#web/ui/shared.module.css';
import { useStartQueue } from '../use-start-queue.ts';
import classes from './overview.module.css';
import { Section } from '#web/ui/section.tsx';
import { isQueueOf, type ListsOfArchive, type WorkList } from './use-work-lists.ts';

/** How many checks of an archive are listed until the user shows all. */
const MAX_CHECKS = 5;

interface WorkListsProps {
  readonly archives: readonly ArchiveSummary[];
  /** the labels that several archives share */
  readonly repeated: ReadonlySet<string>;
  readonly lists: ReadonlyMap<string, ListsOfArchive>;
  readonly queues: readonly OpenQueue[];
}

/**
 * The saved views of all archives and the findings of their checks, each with the number of remaining revisions and a
 * button that starts a queue.
 */
export function WorkLists({ archives, repeated, lists, queues }: WorkListsProps) {
  return (
    <Section title={texts.workLists}>
      {archives.length === 0 && <p className={classes.none}>{texts.noArchive}</p>}
      {archives.map((archive) => (
        <ArchiveCard
          key={archive.table}
          archive={archive}
          isRepeated={repeated.has(archive.name)}
          lists={lists.get(archive.table)}
          queues={queues}
        />
      ))}
    </Section>
  );
}

interface ArchiveCardProps {
  readonly archive: ArchiveSummary;
  /** whether others have the same label */
  readonly isRepeated: boolean;
  readonly lists: ListsOfArchive | undefined;
  readonly queues: readonly OpenQueue[];
}

function ArchiveCard({ archive, isRepeated, lists, queues }: ArchiveCardProps) {
  const { table, name, description, documents } = archive;
  const { views = [], checks = [] } = lists ?? {};
  const [allChecks, setAllChecks] = useState(false);
  const queueOf = (list: WorkList) => queues.find((queue) => isQueueOf(queue, table, list));
  const shown = checks.filter(
    (check, at) => allChecks || at < MAX_CHECKS || queueOf(check) !== undefined,
  );
  return (
    <article
      className={classes.card}
      aria-label={isRepeated ? labelAndName({ label: name, name: table }) : name}
    >
      <header className={classes.archive}>
        <ArchiveIcon />
        <h3 className={classes.name}>
          <Link to="/archives/$archive" params={{ archive: table }}>
            {name}
          </Link>
          {isRepeated && <span className={shared.note}> {table}</span>}
        </h3>
        <span className={classes.total}>
          <RichText text={texts.revisions(documents, <b>{formatCount(documents)}</b>)} />
        </span>
        {description !== '' && <p className={classes.description}>{description}</p>}
      </header>
      {lists && <QueryError query={lists} title={texts.workListsNotRead} />}
      {!lists?.error && views.length + checks.length === 0 && (
        <p className={classes.none}>{texts.noWorkLists}</p>
      )}
      {views.length > 0 && (
        <ul>
          {views.map((view) => (
            <ViewRow key={view.key} archive={archive} view={view} queue={queueOf(view)} />
          ))}
        </ul>
      )}
      {checks.length > 0 && (
        <section aria-label={texts.foundByChecks}>
          <h4 className={classes.subheading}>{texts.foundByChecks}</h4>
          <ul>
            {shown.map((check) => (
              <WorkListRow
                key={check.key}
                archive={archive}
                list={check}
                count={check.count}
                isUncounted={false}
                queue={queueOf(check)}
              />
            ))}
          </ul>
          {shown.length < checks.length && (
            <Button variant="subtle" className={classes.more} onClick={() => setAllChecks(true)}>
              {texts.moreChecks(checks.length - shown.length)}
            </Button>
          )}
        </section>
      )}
    </article>
  );
}

interface ViewRowProps {
  readonly archive: ArchiveSummary;
  readonly view: WorkList;
  readonly queue: OpenQueue | undefined;
}

function ViewRow({ archive, view, queue }: ViewRowProps) {
  const count = useQuery(viewCountQuery({ kind: 'archive', id: archive.table }, view.list));
  return (
    <WorkListRow
      archive={archive}
      list={view}
      count={count.data}
      isUncounted={count.isError}
      queue={queue}
    />
  );
}

interface WorkListRowProps {
  readonly archive: ArchiveSummary;
  readonly list: WorkList;
  /** remaining revisions; undefined: unknown */
  readonly count: number | undefined;
  /** whether they could not be counted */
  readonly isUncounted: boolean;
  /** the unfinished queue that was last created from it */
  readonly queue: OpenQueue | undefined;
}

function WorkListRow({ archive, list, count, isUncounted, queue }: WorkListRowProps) {
  const { table, rights } = archive;
  const { start } = useStartQueue(table);
  const starting = useMutation({
    mutationFn: () => start({ name: list.name, filter: listQuery(list.list) }),
  });
  return (
    <li className={classes.list}>
      <Link
        to="/archives/$archive"
        params={{ archive: table }}
        search={writeListView(list.list)}
        className={classes.listName}
      >
        {list.name}
      </Link>
      <span className={classes.progress}>
        {queue ? (
          <Progress done={queue.position} position={queue.position + 1} total={queue.total} />
        ) : (
          rights !== 'read' &&
          count !== undefined &&
          count > 0 && <Progress done={0} position={0} total={count} />
        )}
      </span>
      <span className={classes.count}>
        <Count count={count} failed={isUncounted} />
      </span>
      <span className={classes.act}>
        {rights !== 'read' && queue && (
          <ButtonLink
            to="/archives/$archive/queue/$queueId"
            params={{ archive: table, queueId: queue.queueId }}
            variant="filled"
            aria-label={texts.resumeQueue(queueText(queue))}
          >
            {texts.resume}
          </ButtonLink>
        )}
        {rights !== 'read' && !queue && count !== 0 && (
          <Button
            writes
            variant="light"
            aria-label={texts.startList(list.name)}
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
  /** revisions that are done */
  readonly done: number;
  /** the clerk's present revision, from 1; 0: the list was not started */
  readonly position: number;
  readonly total: number;
}

/** The progress of a work list, as a bar and as text. */
function Progress({ done, position, total }: ProgressProps) {
  return (
    <>
      <progress
        className={classes.bar}
        value={done}
        max={total}
        aria-label={commonTexts.progress}
      />
      <span className={classes.position}>{texts.positionInList({ position, total })}</span>
    </>
  );
}
