import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/system-jobs.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { useStartJob } from './system-jobs.mutations.ts';
import { isActive, systemJobsQuery } from './system-jobs.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './system.module.css';

/** Verifies the installation, and shows the result of the last verification. */
export function Integrity() {
  const { data } = useQuery(systemJobsQuery);
  const { mutate: start, isPending } = useStartJob();
  if (!data) return null;
  const { lastVerification, jobs } = data;
  const isBusy = isPending || jobs.some(isActive);
  const isVerifying = jobs.some((job) => job.kind === 'verification' && isActive(job));
  const { finishedAt, result } = lastVerification ?? {};
  const at = localInstant(finishedAt ?? '');
  const { findings = 0, problems = [], parts = [] } = result ?? {};
  return (
    <>
      <p className={classes.hint}>{texts.integrityHint}</p>
      <div>
        <Button
          loading={isPending || isVerifying}
          aria-disabled={isBusy || undefined}
          onClick={() => start(administrationPaths.verifications())}
        >
          {texts.verify}
        </Button>
      </div>
      {lastVerification === null ? (
        <p className={shared.muted}>{texts.neverVerified}</p>
      ) : (
        <>
          <p className={findings > 0 ? classes.problem : undefined}>
            {findings === 0 ? texts.verified(at) : texts.verifiedWith({ at, count: findings })}
          </p>
          <ul className={classes.lines}>
            {problems.map((line) => (
              <li key={line} className={classes.problem}>
                {line}
              </li>
            ))}
            {parts.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
