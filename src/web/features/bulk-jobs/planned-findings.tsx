import * as texts from '#messages/bulk-jobs.ts';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { WarningIcon } from '#web/ui/icons.tsx';
import classes from './bulk-job.module.css';

interface PlannedFindingsProps {
  readonly findings: NonNullable<AnsweredBulkEdit['findings']>;
}

/** How many findings a plan would add and remove, by check. */
export function PlannedFindings({ findings }: PlannedFindingsProps) {
  if (findings.length === 0) return null;
  const sum = (of: 'brings' | 'removes') => findings.reduce((all, one) => all + one[of], 0);
  const brings = sum('brings');
  return (
    <div className={classes.findings} data-brings={brings > 0 || undefined}>
      <p className={classes.findingsSum}>
        {brings > 0 && <WarningIcon size={14} />}
        {texts.plannedFindings({ brings, removes: sum('removes') })}
      </p>
      <ul aria-label={texts.findingsByCheck} className={classes.findingsList}>
        {findings.map(({ check, label, brings: more, removes: fewer }) => (
          <li key={check}>{texts.findingsOfCheck({ label, brings: more, removes: fewer })}</li>
        ))}
      </ul>
    </div>
  );
}
