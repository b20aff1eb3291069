import { Link } from '@tanstack/react-router';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/overview.ts';
import type { OpenQueue } from '#shared/contract/workspace-answers.ts';
import { listLink } from '#web/api/list-link.ts';
import { queueWords } from '#web/api/queues.queries.ts';
import { percentDone } from '#web/features/bulk-jobs/progress.ts';
import type { NamedCollection } from '#web/api/collections.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { EditIcon, FlagIcon, GoOnIcon, PauseIcon, RefreshIcon } from '#web/ui/icons.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import { searchWithBatch } from '../pages/batch-in-address.ts';
import { useStartQueue } from '../pages/use-start-queue.ts';
import classes from './overview.module.css';
import { Section } from '#web/ui/section.tsx';
import type { Unsaved } from './unsaved.queries.ts';
import type { BatchUnderWay, FlagsOfArchive, WaitingWork } from './use-waiting.ts';

/** The user's unfinished work: queues, unsaved changes, flags, bulk edits. */
export function Waiting({ waiting }: { readonly waiting: WaitingWork }) {
  const { queues, unsaved, flags, batches, errors, collections } = waiting;
  const isEmpty = [queues, unsaved, flags, batches].every(({ length }) => length === 0);
  const [error] = errors;
  return (
    <>
      {error && <ErrorPanel error={error} title={texts.waitingNotRead} />}
      {isEmpty && !error && (
        <Section title={texts.waiting}>
          <p className={classes.none}>{texts.nothingWaiting}</p>
        </Section>
      )}
      {queues.length > 0 && (
        <Section title={texts.queues}>
          <ul className={classes.rows}>
            {queues.map((queue) => (
              <Queue
                key={`${queue.archive} ${queue.queueId}`}
                queue={queue}
                collections={collections}
              />
            ))}
          </ul>
        </Section>
      )}
      {unsaved.length > 0 && (
        <Section title={texts.unsaved}>
          <ul className={classes.rows}>
            {unsaved.map((one) => (
              <UnsavedRow key={one.collection.id} unsaved={one} collections={collections} />
            ))}
          </ul>
        </Section>
      )}
      {flags.length > 0 && (
        <Section title={texts.flagged}>
          <ul className={classes.rows}>
            {flags.map((one) => (
              <Flags key={one.collection.id} of={one} />
            ))}
          </ul>
        </Section>
      )}
      {batches.length > 0 && (
        <Section title={texts.batches}>
          <ul className={classes.rows}>
            {batches.map((one) => (
              <Batch key={one.batch.bulkEditId} of={one} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** The name of an archive or table on the screen. */
export function nameOf(collections: readonly NamedCollection[], id: string): string {
  return collections.find(({ collection }) => collection.id === id)?.name ?? id;
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
        <GoOnIcon size={14} />
        <span className={classes.words}>{texts.resumeQueue(queueWords(queue))}</span>
        <span className={classes.aside}>
          {texts.queueAside({ name: nameOf(collections, archive), at: localInstant(usedAt) })}
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
        <span className={classes.aside}>{nameOf(collections, collection.id)}</span>
      </Link>
    </li>
  );
}

/** The list of all flags is in the archive. */
const FLAGS_SHOWN = 3;

function Flags({ of: { collection, name, flags } }: { readonly of: FlagsOfArchive }) {
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
      {flags.slice(0, FLAGS_SHOWN).map(({ revisionId, note }) => (
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

const WORDS = {
  edit: texts.bulkEditBatch,
  import: texts.importBatch,
  paste: texts.pasteBatch,
} as const;

function Batch({ of: { collection, name, batch } }: { readonly of: BatchUnderWay }) {
  const { state, kind } = batch;
  const words = WORDS[kind];
  return (
    <li>
      <Link {...listLink(collection, searchWithBatch(batch.bulkEditId))} className={classes.row}>
        {state === 'paused' ? <PauseIcon size={14} /> : <RefreshIcon size={14} />}
        <span className={classes.words}>
          {state === 'paused' || state === 'undoing' ? words[state] : words.applying}
        </span>
        <progress
          className={classes.bar}
          value={percentDone(batch)}
          max={100}
          aria-label={commonTexts.progress}
        />
        <span className={classes.aside}>{name}</span>
      </Link>
    </li>
  );
}
