import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { allows } from '#shared/rules/rights.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tableKeys, tablesQuery } from '#web/api/tables.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { UndoIcon } from '#web/ui/icons.tsx';
import { notify } from '#web/ui/notify.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { ShowMore } from '#web/ui/show-more.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { DeletedRow } from './deleted-row.tsx';
import { restoreDeleted } from './deleted.mutations.ts';
import { deletedQuery } from './deleted.queries.ts';
import classes from './deleted.module.css';
import * as texts from '#messages/deleted-records.ts';

interface DeletedPanelProps {
  readonly table: TableDetail;
  /** shows the last state of a dataset in its form */
  readonly onOpen: (jrid: string) => void;
  /** datasets were restored: the list must be reloaded */
  readonly onRestored: () => void;
  readonly onClose: () => void;
}

/** The deleted datasets of a table with who deleted them and when; users who are permitted to can restore them. */
export function DeletedPanel({ table, onOpen, onRestored, onClose }: DeletedPanelProps) {
  const client = useQueryClient();
  const { username } = useSession();
  const query = useInfiniteQuery(deletedQuery(table.guid));
  const deleted = query.data?.pages.flatMap((page) => page.deleted) ?? [];
  const mayRestore = allows(table.rights, 'manage');
  const restorable = deleted.filter(({ user }) => mayRestore && user === username);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const chosen = restorable.filter(({ historyId }) => picked.has(historyId));

  const restoring = useMutation({
    ...restoreDeleted(table.guid),
    onSuccess: async (datasets) => {
      setPicked(new Set());
      notify(texts.restored(datasets.length));
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
      title={texts.title}
      closeLabel={texts.close}
      onClose={onClose}
      top={
        restorable.length > 0 && (
          <div className={classes.bar}>
            <Checkbox
              label={texts.allOwn}
              checked={isAll}
              indeterminate={chosen.length > 0 && !isAll}
              onChange={() =>
                setPicked(new Set(isAll ? [] : restorable.map(({ historyId }) => historyId)))
              }
            />
            <Button
              writes
              size="compact-sm"
              variant="default"
              leftSection={<UndoIcon size={14} />}
              disabled={chosen.length === 0}
              loading={restoring.isPending}
              onClick={() => restoring.mutate(chosen)}
            >
              {chosen.length === 0 ? texts.restore : texts.restoreRecords(chosen.length)}
            </Button>
          </div>
        )
      }
    >
      {restoring.error && <ErrorPanel error={restoring.error} title={texts.notRestored} />}
      <QueryError query={query} title={texts.notRead} />
      {query.isPending && <Spinner label={texts.loading} />}
      {query.data && deleted.length === 0 && (
        <EmptyState title={texts.none}>{texts.noneHint}</EmptyState>
      )}
      <ul>
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
      <ShowMore list={query} label={texts.showOlder} color="gray" className={classes.more ?? ''} />
      {mayRestore && restorable.length < deleted.length && (
        <p className={classes.note}>{texts.onlyOwn}</p>
      )}
    </SidePanel>
  );
}
