import { useQuery } from '@tanstack/react-query';
import type { Dataset, TableDetail } from '#shared/contract/answers.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './panel.module.css';
import { type Use, usesQuery } from './uses.queries.ts';
import * as texts from '#messages/deleted-records.ts';

interface DeletionConsequenceProps {
  readonly table: TableDetail;
  /** the loaded ones, at most `MAX_CHECKED_FOR_USES` */
  readonly datasets: readonly Dataset[];
  /** the number of records to delete */
  readonly count: number;
}

/** Which records still use the values of records to be deleted. */
export function DeletionConsequence({ table, datasets, count }: DeletionConsequenceProps) {
  const { username } = useSession();
  const { data: uses, error } = useQuery(usesQuery(username, table, datasets));
  const looked = datasets.length;
  const isPart = looked < count;
  if (error) {
    return <p className={classes.consequence}>{texts.usesNotRead}</p>;
  }
  if (!uses) {
    return (
      <p className={classes.consequence}>
        <Spinner size={13} label={texts.readingUses} />
      </p>
    );
  }
  if (uses.length === 0) {
    return (
      <p className={classes.consequence}>
        {isPart ? texts.noUseInPart({ looked, count }) : texts.noUse(count)}
      </p>
    );
  }
  return (
    <ul className={classes.consequence}>
      {uses.map((use) => (
        <li key={JSON.stringify([use.of, use.label])}>{textOfUse(use)}</li>
      ))}
      {isPart && <li>{texts.usesInPart({ looked, count })}</li>}
    </ul>
  );
}

function textOfUse({ collection, of, label, value, count }: Use): string {
  const use = { count, of, field: label, value };
  return collection.kind === 'archive' ? texts.revisionsUse(use) : texts.recordsUse(use);
}
