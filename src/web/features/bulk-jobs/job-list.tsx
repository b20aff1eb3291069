import * as texts from '#messages/bulk-jobs.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { ShowMore } from '#web/ui/show-more.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import { bulkEditsQuery } from './bulk-jobs.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './bulk-job.module.css';
import { ruleText } from './rule-text.ts';

interface JobListProps {
  readonly target: BulkTarget;
  readonly onOpen: (bulkEditId: string) => void;
}

function descriptionOf(target: BulkTarget, { kind, fileName, edits }: AnsweredBulkEdit): string {
  if (kind === 'import')
    return fileName === undefined ? texts.importedSpreadsheet : texts.importedFile(fileName);
  if (kind === 'paste') return texts.pastedRows;
  // Keyword changes and reverted values are not rules.
  if (edits.length === 0) return texts.correctedTogether;
  return edits.map((rule) => ruleText(target, rule)).join(' · ');
}

/** The existing bulk edits, newest first. */
export function JobList({ target, onOpen }: JobListProps) {
  const { kind } = target.collection;
  const query = useInfiniteQuery(bulkEditsQuery(target.collection));
  if (!query.data) {
    return (
      <div className={classes.message}>
        <QueryPending query={query} loading={texts.loadingList} />
      </div>
    );
  }
  const jobs = query.data.pages.flatMap(({ bulkedits }) => bulkedits);
  if (jobs.length === 0) {
    return <EmptyState title={texts.emptyList[kind]}>{texts.emptyListHint[kind]}</EmptyState>;
  }
  return (
    <ul className={shared.scroller}>
      {jobs.map((job) => (
        <li key={job.bulkEditId}>
          <button type="button" className={classes.jobRow} onClick={() => onOpen(job.bulkEditId)}>
            <span className={`${shared.truncated} ${classes.jobWhat}`}>
              {descriptionOf(target, job)}
            </span>
            <span className={shared.muted}>
              <RichText
                text={texts.summary({
                  records: texts.records({ kind, count: job.counts.total }),
                  state: texts.states[job.state],
                  person: <PersonName username={job.createdBy} />,
                  at: localInstant(job.createdAt),
                })}
              />
            </span>
          </button>
        </li>
      ))}
      {query.hasNextPage && (
        <li>
          <ShowMore list={query} className={classes.more ?? ''} />
        </li>
      )}
    </ul>
  );
}
