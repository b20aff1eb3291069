import type { OpenQueue } from '#shared/contract/workspace-answers.ts';
import { queueWords } from '#web/api/queues.queries.ts';
import { formatCount } from '#web/api/locale.ts';
import { percentDone } from '#web/features/bulk-jobs/progress.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { EditIcon, FlagIcon, GoOnIcon, PauseIcon, RefreshIcon } from '#web/ui/icons.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import { searchWithBatch } from '../pages/batch-in-address.ts';
import { useStartQueue } from '../pages/use-start-queue.ts';
import classes from './overview.module.css';
import { Section } from './section.tsx';
import type { Unsaved } from './unsaved.queries.ts';
import type { BatchUnderWay, FlagsOfArchive, NamedPlace, WaitingWork } from './use-waiting.ts';

/** What the user has left unfinished: queues, changes that are not saved, flags, batches. */
export function Waiting({ waiting }: { readonly waiting: WaitingWork }) {
  const { queues, unsaved, flags, batches, errors, places } = waiting;
  const isEmpty = [queues, unsaved, flags, batches].every(({ length }) => length === 0);
  const [error] = errors;
  return (
    <>
      {error && (
        <ErrorPanel error={error} title="Not everything that waits for you could be read" />
      )}
      {isEmpty && !error && (
        <Section title="Waiting for you">
          <p className={classes.none}>No open queues, unsaved changes, flags or batches.</p>
        </Section>
      )}
      {queues.length > 0 && (
        <Section title="Queues to resume">
          <ul className={classes.rows}>
            {queues.map((queue) => (
              <Queue key={`${queue.archive} ${queue.queueId}`} queue={queue} places={places} />
            ))}
          </ul>
        </Section>
      )}
      {unsaved.length > 0 && (
        <Section title="Not saved">
          <ul className={classes.rows}>
            {unsaved.map((one) => (
              <UnsavedRow key={one.place.id} unsaved={one} places={places} />
            ))}
          </ul>
        </Section>
      )}
      {flags.length > 0 && (
        <Section title="Flagged for later">
          <ul className={classes.rows}>
            {flags.map((one) => (
              <Flags key={one.place.id} of={one} />
            ))}
          </ul>
        </Section>
      )}
      {batches.length > 0 && (
        <Section title="Batches under way">
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

/** What people call an archive or table. */
export function nameOf(places: readonly NamedPlace[], id: string): string {
  return places.find(({ place }) => place.id === id)?.name ?? id;
}

interface QueueRowProps {
  readonly queue: OpenQueue;
  readonly places: readonly NamedPlace[];
}

function Queue({ queue, places }: QueueRowProps) {
  const { archive, queueId, usedAt } = queue;
  return (
    <li>
      <Link to={{ page: 'queue', archive, queueId }} className={classes.row}>
        <GoOnIcon size={14} />
        <span className={classes.words}>Resume: {queueWords(queue)}</span>
        <span className={classes.aside}>
          {nameOf(places, archive)}, {localInstant(usedAt)}
        </span>
      </Link>
    </li>
  );
}

interface UnsavedRowProps {
  readonly unsaved: Unsaved;
  readonly places: readonly NamedPlace[];
}

function UnsavedRow({ unsaved, places }: UnsavedRowProps) {
  const { place, revisionIds } = unsaved;
  const [first = ''] = revisionIds;
  const count = revisionIds.length;
  return (
    <li>
      <Link
        to={
          place.kind === 'archive'
            ? { page: 'archive', archive: place.id, search: { selected: first } }
            : { page: 'table', guid: place.id }
        }
        className={classes.row}
      >
        <EditIcon size={14} />
        <span className={classes.words}>
          {place.kind === 'table'
            ? 'Entries of the table'
            : count === 1
              ? `Revision ${first}`
              : `${formatCount(count)} revisions, from ${first} on`}
        </span>
        <span className={classes.aside}>{nameOf(places, place.id)}</span>
      </Link>
    </li>
  );
}

/** The list of all flags is in the archive. */
const FLAGS_SHOWN = 3;

function Flags({ of: { place, name, flags } }: { readonly of: FlagsOfArchive }) {
  const { start } = useStartQueue(place.id);
  const revisionIds = flags.map(({ revisionId }) => revisionId);
  return (
    <li>
      <div className={classes.row}>
        <FlagIcon size={14} />
        <span className={classes.words}>
          {name}: {formatCount(flags.length)} flagged
        </span>
        <Button
          variant="light"
          size="compact-sm"
          aria-label={`Start: flagged in ${name}`}
          onClick={() => void start({ revisionIds })}
        >
          Start
        </Button>
      </div>
      {flags.slice(0, FLAGS_SHOWN).map(({ revisionId, note }) => (
        <Link
          key={revisionId}
          to={{ page: 'archive', archive: place.id, search: { selected: revisionId } }}
          className={`${classes.row} ${classes.inner}`}
        >
          <span>Revision {revisionId}</span>
          <span className={classes.note}>{note}</span>
        </Link>
      ))}
    </li>
  );
}

const STATES = { applying: 'Running', paused: 'Paused', undoing: 'Undoing' } as const;

function Batch({ of: { place, name, batch } }: { readonly of: BatchUnderWay }) {
  const { state, kind } = batch;
  const words = state === 'paused' || state === 'undoing' ? STATES[state] : STATES.applying;
  return (
    <li>
      <Link
        to={
          place.kind === 'archive'
            ? { page: 'archive', archive: place.id, search: searchWithBatch(batch.bulkEditId) }
            : { page: 'table', guid: place.id, search: searchWithBatch(batch.bulkEditId) }
        }
        className={classes.row}
      >
        {state === 'paused' ? <PauseIcon size={14} /> : <RefreshIcon size={14} />}
        <span className={classes.words}>
          {kind === 'import' ? 'Import' : 'Bulk edit'}: {words}
        </span>
        <progress
          className={classes.bar}
          value={percentDone(batch)}
          max={100}
          aria-label="Progress"
        />
        <span className={classes.aside}>{name}</span>
      </Link>
    </li>
  );
}
