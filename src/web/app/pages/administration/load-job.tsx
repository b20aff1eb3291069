import * as jobTexts from '#messages/bulk-jobs.ts';
import * as texts from '#messages/load-data.ts';
import { useState } from 'react';
import { BulkJob } from '#web/features/bulk-jobs/bulk-job.tsx';
import { RejectedRows } from '#web/features/bulk-jobs/rejected-rows.tsx';
import { usePlanImport } from '#web/api/file-imports.ts';
import type { PlannedRows } from '#web/features/load-data/load-sheet.tsx';
import { useBulkTarget } from '#web/features/load-data/use-bulk-target.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { useAskFirst } from '#web/ui/form/ask-before-leaving.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './load-job.module.css';

interface LoadJobProps {
  readonly username: string;
  readonly rows: PlannedRows;
  /** rows are being written */
  readonly onApplied: () => void;
  readonly onClose: () => void;
}

/** The plan for the rows of a file, its application and its receipt, and the rejected rows. */
export function LoadJob({ username, rows, onApplied, onClose }: LoadJobProps) {
  const { collection, columns } = rows;
  const [bulkEditId, setBulkEditId] = useState(rows.bulkEditId);
  const { target, ...reading } = useBulkTarget(username, collection);
  const plan = usePlanImport();
  const { askFirst, question } = useAskFirst(jobTexts.leaveText);
  if (!target) return <QueryPending query={reading} title={texts.targetsNotRead} />;
  return (
    <section aria-label={texts.job} className={shared.stack}>
      <h2 className={classes.heading}>{target.name}</h2>
      <div className={classes.job}>
        <BulkJob
          key={bulkEditId}
          target={target}
          bulkEditId={bulkEditId}
          onClose={onClose}
          onApplied={onApplied}
          askFirst={askFirst}
          onOther={(other) => setBulkEditId(other.bulkEditId)}
        />
      </div>
      <RejectedRows
        key={`refused ${bulkEditId}`}
        target={target}
        bulkEditId={bulkEditId}
        isSending={plan.isPending}
        onSend={(file, format) =>
          plan.mutate(
            { collection, file, format, columns, mode: 'create', key: null },
            { onSuccess: (planned) => setBulkEditId(planned.bulkEditId) },
          )
        }
      />
      {question}
      {plan.error && <ErrorPanel error={plan.error} title={texts.notPlanned} />}
    </section>
  );
}
