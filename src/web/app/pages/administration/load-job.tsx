import * as jobTexts from '#messages/bulk-jobs.ts';
import * as texts from '#messages/load-data.ts';
import { useState } from 'react';
import { BulkJob } from '#web/features/bulk-jobs/bulk-job.tsx';
import { RejectedRows } from '#web/features/bulk-jobs/rejected-rows.tsx';
import { usePlanImport } from '#web/api/file-imports.ts';
import type { PlannedRows } from '#web/features/load-data/load-sheet.tsx';
import { useBulkTarget } from '#web/api/collections.queries.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { UnsavedChangesGuard, useConfirmDiscard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './load-job.module.css';

/** A plan, and the texts that were corrected in its rejected rows. */
interface Plan {
  readonly bulkEditId: string;
  readonly edits: ReadonlyMap<string, string>;
}

interface Plans {
  readonly current: Plan;
  /** those whose corrected rows the current one has, newest first: it leads back to them until it is applied */
  readonly earlier: readonly Plan[];
}

const newPlan = (bulkEditId: string): Plan => ({ bulkEditId, edits: new Map() });

interface LoadJobProps {
  readonly rows: PlannedRows;
  /** rows are being written */
  readonly onApplied: () => void;
  readonly onClose: () => void;
}

/** The plan for the rows of a file, its application and its receipt, and the rejected rows. */
export function LoadJob({ rows, onApplied, onClose }: LoadJobProps) {
  const { collection, columns } = rows;
  const [{ current, earlier }, setPlans] = useState<Plans>({
    current: newPlan(rows.bulkEditId),
    earlier: [],
  });
  const { bulkEditId, edits } = current;
  const { target, ...reading } = useBulkTarget(collection);
  const plan = usePlanImport();
  const { confirmDiscard, question } = useConfirmDiscard(jobTexts.leaveText);
  const close = () => {
    const [before, ...others] = earlier;
    if (before) setPlans({ current: before, earlier: others });
    else onClose();
  };
  if (!target) return <QueryPending query={reading} title={texts.targetsNotRead} />;
  return (
    <section aria-label={texts.job} className={shared.stack}>
      <h2 className={classes.heading}>{target.name}</h2>
      <div className={classes.job}>
        <BulkJob
          key={bulkEditId}
          target={target}
          bulkEditId={bulkEditId}
          onClose={close}
          onApplied={() => {
            // The corrected rows of earlier plans are written.
            setPlans((plans) => ({ ...plans, earlier: [] }));
            onApplied();
          }}
          confirmDiscard={(act) => confirmDiscard(act, edits.size > 0)}
          onOther={(other) => setPlans({ current: newPlan(other.bulkEditId), earlier: [] })}
        />
      </div>
      <RejectedRows
        key={`refused ${bulkEditId}`}
        collection={collection}
        bulkEditId={bulkEditId}
        fileName={rows.fileName}
        edits={edits}
        onEdits={(changed) =>
          setPlans((plans) => ({ ...plans, current: { bulkEditId, edits: changed } }))
        }
        isSending={plan.isPending}
        onSend={(file, format) =>
          plan.mutate(
            {
              collection,
              file,
              format,
              columns: [{ as: 'line' }, ...columns],
              mode: 'create',
              key: null,
            },
            {
              onSuccess: (planned) =>
                setPlans((plans) => ({
                  current: newPlan(planned.bulkEditId),
                  earlier: [plans.current, ...plans.earlier],
                })),
            },
          )
        }
      />
      {question}
      <UnsavedChangesGuard
        isUnsaved={[current, ...earlier].some((one) => one.edits.size > 0)}
        text={jobTexts.leaveText}
      />
      {plan.error && <ErrorPanel error={plan.error} title={texts.notPlanned} />}
    </section>
  );
}
