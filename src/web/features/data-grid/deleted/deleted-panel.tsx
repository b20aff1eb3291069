import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { allows } from '#shared/rules/rights.ts';
import type { DeletedDataset } from '#shared/contract/table-analysis-answers.ts';
import { formatCount } from '#shared/messages/format.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tableKeys, tablesQuery } from '#web/api/tables.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { UndoIcon } from '#web/ui/icons.tsx';
import { notify } from '#web/ui/notify.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { datasetCalls } from '../edit-store/datasets.calls.ts';
import { SidePanel } from '../side-panel.tsx';
import { DeletedRow } from './deleted-row.tsx';
import { deletedQuery } from './deleted.queries.ts';
import classes from './deleted.module.css';

interface DeletedPanelProps {
  readonly table: TableDetail;
  /** shows what is left of a dataset in its form */
  readonly onOpen: (jrid: string) => void;
  /** datasets came back: the list is to be read anew */
  readonly onRestored: () => void;
  readonly onClose: () => void;
}

/** The deleted datasets of a table with who deleted them and when; who did, and may, brings them back. */
export function DeletedPanel({ table, onOpen, onRestored, onClose }: DeletedPanelProps) {
  const client = useQueryClient();
  const { username } = useSession();
  const read = useInfiniteQuery(deletedQuery(table.guid));
  const deleted = read.data?.pages.flatMap((page) => page.deleted) ?? [];
  const mayRestore = allows(table.rights, 'manage');
  const restorable = deleted.filter(({ user }) => mayRestore && user === username);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const chosen = restorable.filter(({ historyId }) => picked.has(historyId));

  const restoring = useMutation({
    mutationFn: async (datasets: readonly DeletedDataset[]) => {
      await datasetCalls(table.guid).undo(
        datasets.map(({ historyId }) => historyId),
        datasets.map(({ jrid }) => jrid),
      );
      return datasets;
    },
    onSuccess: async (datasets) => {
      setPicked(new Set());
      notify(`${counted(datasets.length)} restored.`);
      onRestored();
      await Promise.all([
        client.invalidateQueries({ queryKey: tablesQuery.queryKey }),
        client.invalidateQueries({ queryKey: tableKeys.one(table.guid) }),
      ]);
    },
  });
  const pick = (historyId: string) => {
    const next = new Set(picked);
    if (!next.delete(historyId)) next.add(historyId);
    setPicked(next);
  };
  const isAll = chosen.length === restorable.length;
  return (
    <SidePanel
      title="Deleted records"
      closeLabel="Close the deleted records"
      onClose={onClose}
      top={
        restorable.length > 0 && (
          <div className={classes.bar}>
            <Checkbox
              label="All of yours"
              checked={isAll}
              indeterminate={chosen.length > 0 && !isAll}
              onChange={() =>
                setPicked(new Set(isAll ? [] : restorable.map(({ historyId }) => historyId)))
              }
            />
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<UndoIcon size={14} />}
              disabled={chosen.length === 0}
              loading={restoring.isPending}
              onClick={() => restoring.mutate(chosen)}
            >
              {chosen.length === 0 ? 'Restore' : `Restore ${counted(chosen.length)}`}
            </Button>
          </div>
        )
      }
    >
      {restoring.error && (
        <ErrorPanel error={restoring.error} title="The records could not be restored" />
      )}
      {read.error && (
        <ErrorPanel
          error={read.error}
          title="The deleted records could not be read"
          onRetry={() => void read.refetch()}
        />
      )}
      {read.isPending && <Spinner label="Loading the deleted records" />}
      {read.data && deleted.length === 0 && (
        <Empty title="No record of this table is deleted.">
          A record that is deleted stands here until it is restored.
        </Empty>
      )}
      <ul className={classes.list}>
        {deleted.map((dataset) => (
          <DeletedRow
            key={dataset.historyId}
            dataset={dataset}
            columns={table.columns}
            isOwn={dataset.user === username}
            picked={picked.has(dataset.historyId)}
            onPick={restorable.includes(dataset) ? () => pick(dataset.historyId) : null}
            onOpen={() => onOpen(dataset.jrid)}
          />
        ))}
      </ul>
      {read.hasNextPage && (
        <Button
          className={classes.more ?? ''}
          variant="subtle"
          color="gray"
          loading={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          Show older ones
        </Button>
      )}
      {mayRestore && restorable.length < deleted.length && (
        <p className={classes.note}>Only the person who deleted a record can restore it.</p>
      )}
    </SidePanel>
  );
}

function counted(count: number): string {
  return count === 1 ? '1 record' : `${formatCount(count)} records`;
}
