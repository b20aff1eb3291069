import * as texts from '#messages/flags.ts';
import { Modal } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { Flag } from '#shared/contract/workspace-answers.ts';
import { bulkTargetOfArchive } from '#web/api/bulk-target.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { CloseIcon, FlagIcon } from '#web/ui/icons.tsx';
import { leadingValuesQuery } from '#web/list-tools/leading-values.queries.ts';
import { ShowMore, useFirstItems } from '#web/ui/show-more.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import shared from '#web/ui/shared.module.css';
import classes from './flag-list.module.css';
import { setFlag } from './queue.mutations.ts';
import { flagsQuery } from './queue.queries.ts';

interface FlagListProps {
  readonly archive: ArchiveDetail;
  /** opens them one after the other */
  readonly onFlagged: (revisionIds: readonly string[]) => void;
  readonly onOpen: (revisionId: string) => void;
  readonly onClose: () => void;
}

/** Number of flags shown initially, and added each time. */
const PART = 100;

/** The revisions of an archive that the user has flagged for later, oldest first. */
export function FlagList({ archive, onFlagged, onOpen, onClose }: FlagListProps) {
  const query = useQuery(flagsQuery(archive.table));
  const { data: flags } = query;
  const { firstItems, rest } = useFirstItems(flags ?? [], PART);
  const removal = useMutation(setFlag(archive.table));
  const open = (revisionId: string) => {
    onClose();
    onOpen(revisionId);
  };
  return (
    <Modal opened onClose={onClose} title={texts.title} size={620}>
      {!flags && <QueryPending query={query} loading={texts.loading} />}
      {removal.error && <ErrorPanel error={removal.error} title={texts.notRemoved} />}
      {flags && (
        <>
          <div className={classes.head}>
            <span role="status">
              {flags.length === 0 ? texts.nothingFlagged : texts.revisions(flags.length)}
            </span>
            <Button
              writes
              data-autofocus
              leftSection={<FlagIcon size={15} />}
              disabled={flags.length === 0}
              onClick={() => onFlagged(flags.map(({ revisionId }) => revisionId))}
            >
              {texts.goThroughThem}
            </Button>
          </div>
          <ul>
            {pagesOf(firstItems).map((page) => (
              <PageOfFlags
                key={page[0]?.revisionId}
                archive={archive}
                flags={page}
                onOpen={open}
                onRemove={(revisionId) =>
                  removal.mutate({ revisionId, note: null, appends: false })
                }
              />
            ))}
          </ul>
          <ShowMore list={rest} />
        </>
      )}
    </Modal>
  );
}

function pagesOf(flags: readonly Flag[]): readonly (readonly Flag[])[] {
  return Array.from({ length: Math.ceil(flags.length / PART) }, (_, page) =>
    flags.slice(page * PART, (page + 1) * PART),
  );
}

interface PageOfFlagsProps {
  readonly archive: ArchiveDetail;
  readonly flags: readonly Flag[];
  readonly onOpen: (revisionId: string) => void;
  readonly onRemove: (revisionId: string) => void;
}

function PageOfFlags({ archive, flags, onOpen, onRemove }: PageOfFlagsProps) {
  const ids = flags.map(({ revisionId }) => revisionId);
  const { data: leading } = useQuery(
    leadingValuesQuery(bulkTargetOfArchive(archive), ids, 'flagged'),
  );
  return flags.map(({ revisionId, note, at }) => (
    <li key={revisionId} className={classes.flag}>
      <button type="button" className={classes.open} onClick={() => onOpen(revisionId)}>
        <span className={shared.truncated}>
          <b>{texts.revision(revisionId)}</b> {leading?.get(revisionId)}
        </span>
        {note !== '' && <span className={classes.note}>{note}</span>}
        <span className={shared.note}>{localInstant(at)}</span>
      </button>
      <IconButton
        writes
        aria-label={texts.removeFlagOf(revisionId)}
        title={texts.removeFlag}
        onClick={({ currentTarget }) => {
          // The row disappears together with the focused element.
          const row = currentTarget.closest('li');
          const beside = row?.nextElementSibling ?? row?.previousElementSibling;
          beside?.querySelector('button')?.focus();
          onRemove(revisionId);
        }}
      >
        <CloseIcon size={15} />
      </IconButton>
    </li>
  ));
}
