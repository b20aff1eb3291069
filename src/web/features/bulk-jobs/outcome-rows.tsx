import { keywordFieldName } from '#shared/rules/names.ts';
import * as texts from '#messages/bulk-jobs.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { AnsweredBulkEdit, Outcome } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { QueryPending } from '#web/ui/query-state.tsx';
import { leadingValuesQuery } from '#web/list-tools/leading-values.queries.ts';
import { ShowMore } from '#web/ui/show-more.tsx';
import { ValueChange } from '#web/fields/value-change.tsx';
import { shownValue } from '#web/fields/value-text.ts';
import { type JobRecord, stateKeyOf, outcomeQuery } from './outcomes.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './bulk-job.module.css';

interface OutcomeRowsProps {
  readonly target: BulkTarget;
  readonly bulkEdit: AnsweredBulkEdit;
  readonly outcome: Outcome;
  /** the first rows are rendered */
  readonly onShown: () => void;
}

/** The revisions with one outcome: old → new of each, or the reason. */
export function OutcomeRows({ target, bulkEdit, outcome, onShown }: OutcomeRowsProps) {
  // While the job runs its lists keep growing; they are refetched when it stops.
  const stateKey = stateKeyOf(bulkEdit);
  const rows = useInfiniteQuery(
    outcomeQuery(target.collection, bulkEdit.bulkEditId, outcome, stateKey),
  );
  const hasRows = rows.data !== undefined;
  const shown = useEffectEvent(onShown);
  useEffect(() => {
    if (hasRows) shown();
  }, [hasRows]);
  const { kind } = target.collection;
  if (rows.error || !rows.data) {
    return (
      <div className={classes.message}>
        <QueryPending
          query={rows}
          title={texts.recordsNotRead[kind]}
          loading={texts.loadingRecords[kind]}
        />
      </div>
    );
  }
  return (
    <div
      className={`${shared.scroller} ${classes.rows}`}
      // A scrollable area must be reachable by keyboard (WCAG 2.1.1).
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={kind === 'archive' ? texts.recordsOfArchive : texts.recordsOfTable[bulkEdit.kind]}
    >
      <ul>
        {rows.data.pages.map(({ records }) => (
          <PageOfRows
            key={records[0]?.title ?? ''}
            target={target}
            records={records}
            stateKey={stateKey}
            isReverted={outcome === 'takenback'}
            isNote={outcome === 'changed' || outcome === 'new'}
            isNew={outcome === 'new' || outcome === 'created'}
          />
        ))}
      </ul>
      <ShowMore list={rows} className={classes.more ?? ''} />
    </div>
  );
}

interface PageOfRowsProps {
  readonly target: BulkTarget;
  readonly records: readonly JobRecord[];
  readonly stateKey: string;
  /** if undone, the change goes from new to old */
  readonly isReverted: boolean;
  /** whether a row's message is a note, not the reason why it is left out */
  readonly isNote: boolean;
  /** whether the records are created: they had no values before */
  readonly isNew: boolean;
}

function PageOfRows({ target, records, stateKey, isReverted, isNote, isNew }: PageOfRowsProps) {
  const ids = records.flatMap(({ id }) => id ?? []);
  const { data: leading } = useQuery(leadingValuesQuery(target, ids, stateKey));
  return records.map(({ id, title, changes, message }) => (
    <li key={title} className={classes.row}>
      <span className={classes.id}>{title}</span>
      <span className={shared.truncated}>
        {id === null ? newRecordText(target, changes) : leading?.get(id)}
      </span>
      <div className={classes.what}>
        {message !== null && <p className={isNote ? shared.muted : classes.problem}>{message}</p>}
        {changes.map((change) => (
          <ChangeLine
            key={change.name}
            target={target}
            change={change}
            isReverted={isReverted}
            isNew={isNew || id === null}
          />
        ))}
        {changes.length === 0 && message === null && (
          <span className={shared.muted}>{texts.noChange}</span>
        )}
      </div>
    </li>
  ));
}

/** How many of the first values identify a record for people. */
const MAX_LEADING_VALUES = 3;

/** The first values of a record that does not exist yet. */
function newRecordText({ fields }: BulkTarget, changes: JobRecord['changes']): string {
  return changes
    .flatMap(({ name, after }) => {
      const field = fields.find((one) => one.name === name);
      return field && !Array.isArray(after) && after !== null ? shownValue(field, after) : [];
    })
    .slice(0, MAX_LEADING_VALUES)
    .join(' · ');
}

interface ChangeLineProps {
  readonly target: BulkTarget;
  readonly change: JobRecord['changes'][number];
  readonly isReverted: boolean;
  readonly isNew: boolean;
}

function ChangeLine({ target, change, isReverted, isNew }: ChangeLineProps) {
  const { name } = change;
  const [before, after] = isReverted
    ? [change.after, change.before]
    : [change.before, change.after];
  const field = target.fields.find((one) => one.name === name);
  const keywordField = target.keywordFields.find((one) => keywordFieldName(one.name) === name);
  const label = (field ?? keywordField)?.label ?? name;
  return (
    <ValueChange label={label} rules={field} before={isNew ? undefined : before} after={after} />
  );
}
