import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/overview.ts';
import type { OpenQueue } from '#shared/contract/workspace-answers.ts';
import { listLink } from '#web/api/list-link.ts';
import { queueText } from '#web/api/queues.queries.ts';
import { percentDone } from '#web/features/bulk-jobs/progress.ts';
import { collectionName, type NamedCollection } from '#web/api/named-collections.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { EditIcon, FlagIcon, ContinueIcon, PauseIcon, RefreshIcon } from '#web/ui/icons.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import { searchWithBulkEdit } from '../bulk-edit-in-address.ts';
import { useStartQueue } from '../use-start-queue.ts';
import classes from './overview.module.css';
import { Section } from '#web/ui/section.tsx';
import type { Unsaved } from './unsaved.queries.ts';
import type { UnfinishedWork } from './use-unfinished-work.ts';

/** The user's unfinished work: queues, unsaved changes, flags, bulk edits. */
export function UnfinishedWorkSections({ work }: { readonly work: UnfinishedWork }) {
  const { queues, unsaved, flags, bulkEdits, errors, collections } = work;
  const isEmpty = [queues, unsaved, flags, bulkEdits].every(({ length }) => length === 0);
  const [error] = errors;
  return (
    <>
      {error && <ErrorPanel error={error} title={texts.waitingNotRead} />}
      {isEmpty && !error && (
        <Section title={texts.waiting}>
          <p className={classes.none}>{texts.nothingWaiting}</p>
        </Section>
      )}
      <Rows title={texts.queues}>
        {queues.map((queue) => (
          <Queue
            key={`${queue.archive} ${queue.queueId}`}
            queue={queue}
            collections={collections}
          />
        ))}
      </Rows>
      <Rows title={texts.unsaved}>
        {unsaved.map((changes) => (
          <UnsavedRow key={changes.collection.id} unsaved={changes} collections={collections} />
        ))}
      </Rows>
      <Rows title={texts.flagged}>
        {flags.map((ofArchive) => (
          <Flags key={ofArchive.collection.id} of={ofArchive} />
        ))}
      </Rows>
      <Rows title={texts.batches}>
        {bulkEdits.map((unfinished) => (
          <BulkEdit key={unfinished.bulkEdit.bulkEditId} of={unfinished} />
        ))}
      </Rows>
    </>
  );
}

interface RowsProps {
  readonly title: string;
  readonly children: readonly ReactNode[];
}

/** A section with rows; nothing without any. */
function Rows({ title, children }: RowsProps) {
  if (children.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={classes.rows}>{children}</ul>
    </Section>
  );
}

interface QueueRowProps {
  readonly queue: OpenQueue;
  readonly collections: readonly NamedCollection[];
}

function Queue({ queue, collections }: QueueRowProps) {
  const { archive, queueId, usedAt } = queue;
  return (
    <li>
      <Link
        to="/archives/$archive/queue/$queueId"
        params={{ archive, queueId }}
        className={classes.row}
      >
        <ContinueIcon size={14} />
        <span className={classes.words}>{texts.resumeQueue(queueText(queue))}</span>
        <span className={classes.aside}>
          {texts.queueAside({
            name: collectionName(collections, archive),
            at: localInstant(usedAt),
          })}
        </span>
      </Link>
    </li>
  );
}

interface UnsavedRowProps {
  readonly unsaved: Unsaved;
  readonly collections: readonly NamedCollection[];
}

function UnsavedRow({ unsaved, collections }: UnsavedRowProps) {
  const { collection, revisionIds } = unsaved;
  const [first = ''] = revisionIds;
  return (
    <li>
      <Link
        {...listLink(collection, collection.kind === 'archive' ? { selected: first } : {})}
        className={classes.row}
      >
        <EditIcon size={14} />
        <span className={classes.words}>
          {collection.kind === 'table'
            ? texts.unsavedInTable
            : texts.unsavedRevisions({ count: revisionIds.length, first })}
        </span>
        <span className={classes.aside}>{collectionName(collections, collection.id)}</span>
      </Link>
    </li>
  );
}

/** The list of all flags is in the archive. */
const MAX_SHOWN_FLAGS = 3;

interface FlagsProps {
  readonly of: UnfinishedWork['flags'][number];
}

function Flags({ of: { collection, name, flags } }: FlagsProps) {
  const { start } = useStartQueue(collection.id);
  const revisionIds = flags.map(({ revisionId }) => revisionId);
  return (
    <li>
      <div className={classes.row}>
        <FlagIcon size={14} />
        <span className={classes.words}>{texts.flagsOf({ name, count: flags.length })}</span>
        <Button
          variant="light"
          size="compact-sm"
          aria-label={texts.startFlagged(name)}
          onClick={() => void start({ revisionIds })}
        >
          {texts.start}
        </Button>
      </div>
      {flags.slice(0, MAX_SHOWN_FLAGS).map(({ revisionId, note }) => (
        <Link
          key={revisionId}
          {...listLink(collection, { selected: revisionId })}
          className={`${classes.row} ${classes.inner}`}
        >
          <span>{texts.revision(revisionId)}</span>
          <span className={classes.note}>{note}</span>
        </Link>
      ))}
    </li>
  );
}

interface BulkEditProps {
  readonly of: UnfinishedWork['bulkEdits'][number];
}

function BulkEdit({ of: { collection, name, bulkEdit } }: BulkEditProps) {
  const { state, kind } = bulkEdit;
  const stateTexts = texts.batchStates[kind];
  return (
    <li>
      <Link
        {...listLink(collection, searchWithBulkEdit(bulkEdit.bulkEditId))}
        className={classes.row}
      >
        {state === 'paused' ? <PauseIcon size={14} /> : <RefreshIcon size={14} />}
        <span className={classes.words}>
          {state === 'paused' || state === 'undoing' ? stateTexts[state] : stateTexts.applying}
        </span>
        <progress
          className={classes.bar}
          value={percentDone(bulkEdit)}
          max={100}
          aria-label={commonTexts.progress}
        />
        <span className={classes.aside}>{name}</span>
      </Link>
    </li>
  );
}
