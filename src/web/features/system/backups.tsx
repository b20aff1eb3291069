import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as texts from '#messages/system-jobs.ts';
import type { BackupEntry } from '#shared/contract/system-jobs.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { byteSizeText } from '#web/ui/byte-size.ts';
import { combineQueries } from '#web/api/combine-queries.ts';
import { QueryPending } from '#web/ui/query-state.tsx';
import { ConfirmDialog } from '#web/ui/lazy-confirm-dialog.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { useDeleteBackup, useStartJob } from './system-jobs.mutations.ts';
import { backupsQuery, isActive, systemJobsQuery } from './system-jobs.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './system.module.css';

/** The backups on the machine of this process: create, download, check and delete. */
export function Backups() {
  const systemJobs = useQuery(systemJobsQuery);
  const jobs = systemJobs.data?.jobs;
  const backups = useQuery({
    ...backupsQuery(jobs?.find((job) => !isActive(job))),
    enabled: jobs !== undefined,
    placeholderData: (before) => before,
  });
  const [deleting, setDeleting] = useState<string | null>(null);
  const { mutate: start, isPending } = useStartJob();
  const deletion = useDeleteBackup(deleting ?? '');
  const { data } = backups;
  if (!data || !jobs) {
    return (
      <QueryPending query={combineQueries(systemJobs, backups)} title={texts.backupsNotRead} />
    );
  }
  const isBusy = isPending || jobs.some(isActive);
  const isMaking = jobs.some((job) => job.kind === 'backup' && isActive(job));
  return (
    <>
      <p className={classes.hint}>{texts.backupsPlace(data)}</p>
      <div>
        <Button
          loading={isPending || isMaking}
          aria-disabled={isBusy || undefined}
          onClick={() => start(administrationPaths.backups())}
        >
          {texts.makeBackup}
        </Button>
      </div>
      {data.backups.length === 0 ? (
        <p className={shared.muted}>{texts.noBackups}</p>
      ) : (
        <BackupTable
          backups={data.backups}
          isBusy={isBusy}
          onCheck={(name) => start(administrationPaths.backupChecks(name))}
          onDelete={(name) => {
            // The error is that of another backup.
            deletion.reset();
            setDeleting(name);
          }}
        />
      )}
      <ConfirmDialog
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.deleteTitle(deleting ?? '')}
        text={texts.deleteText}
        mutation={deletion}
        onDone={() => setDeleting(null)}
        errorTitle={texts.notDeleted}
        submit={texts.deleteItem}
      />
    </>
  );
}

interface BackupTableProps {
  readonly backups: readonly BackupEntry[];
  readonly isBusy: boolean;
  readonly onCheck: (name: string) => void;
  readonly onDelete: (name: string) => void;
}

function BackupTable({ backups, isBusy, onCheck, onDelete }: BackupTableProps) {
  return (
    <PlainTable
      isStacked
      headings={[texts.backup, texts.size, texts.made, texts.lastChecked, texts.actions]}
    >
      {backups.map((backup) => (
        <tr key={backup.name}>
          <th scope="row" data-label={texts.backup}>
            <a href={administrationPaths.backup(backup.name)} download={backup.name}>
              {backup.name}
            </a>
          </th>
          <td data-label={texts.size}>{byteSizeText(backup.bytes)}</td>
          <td data-label={texts.made}>
            <div>
              {texts.madeBy({ at: localInstant(backup.createdAt), by: backup.createdBy })}
              {backup.missing !== null && backup.missing > 0 && (
                <span className={classes.problem}>{texts.missingFiles(backup.missing)}</span>
              )}
            </div>
          </td>
          <td
            data-label={texts.lastChecked}
            className={backup.problem === null ? undefined : classes.problem}
          >
            {checkedText(backup)}
          </td>
          <td data-label={texts.actions}>
            <span className={classes.actions}>
              <Button
                variant="default"
                size="compact-sm"
                disabled={isBusy}
                aria-label={texts.checkOf(backup.name)}
                onClick={() => onCheck(backup.name)}
              >
                {texts.check}
              </Button>
              <Button
                variant="light"
                color="red"
                size="compact-sm"
                aria-label={texts.deleteOf(backup.name)}
                onClick={() => onDelete(backup.name)}
              >
                {texts.deleteItem}
              </Button>
            </span>
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

function checkedText({ checkedAt, problem }: BackupEntry): string {
  if (checkedAt === null) return texts.neverChecked;
  const at = localInstant(checkedAt);
  return problem === null ? texts.checkedWhole(at) : texts.checkedDamaged({ at, problem });
}
