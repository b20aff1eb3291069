import { useQuery } from '@tanstack/react-query';
import type { Dataset, TableDetail } from '#shared/contract/answers.ts';
import { formatCount } from '#shared/messages/format.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './panel.module.css';
import { type Use, usesQuery } from './uses.queries.ts';

interface DeletionConsequenceProps {
  readonly table: TableDetail;
  /** those that are known here, at most `MOST_LOOKED_FOR` */
  readonly datasets: readonly Dataset[];
  /** how many are to be deleted */
  readonly count: number;
}

/** What still holds the values of records that are to be deleted, as they are shown. */
export function DeletionConsequence({ table, datasets, count }: DeletionConsequenceProps) {
  const { username } = useSession();
  const { data: uses, error } = useQuery(usesQuery(username, table, datasets));
  const partly =
    datasets.length < count
      ? `, as far as was looked: at ${formatCount(datasets.length)} of ${formatCount(count)} records`
      : '';
  if (error) {
    return <p className={classes.consequence}>Where the values are in use could not be read.</p>;
  }
  if (!uses) {
    return (
      <p className={classes.consequence}>
        <Spinner size={13} label="Looking where the values are in use" />
      </p>
    );
  }
  if (uses.length === 0) {
    return (
      <p className={classes.consequence}>
        Nothing that you may see uses {count === 1 ? 'its' : 'their'} values as a choice from this
        table{partly}.
      </p>
    );
  }
  return (
    <ul className={classes.consequence}>
      {uses.map((use) => (
        <li key={JSON.stringify([use.of, use.label])}>{wordsOf(use)}</li>
      ))}
      {partly !== '' && <li>That is what is known{partly}.</li>}
    </ul>
  );
}

function wordsOf({ of, what, label, value, count }: Use): string {
  const one = count === 1;
  const many = `${formatCount(count)} ${what}${one ? '' : 's'}`;
  return `${many} of ${of} ${one ? 'has' : 'have'} ${value ?? 'one of these values'} in ${label}, chosen from this table. ${one ? 'It keeps' : 'They keep'} it, but it can no longer be chosen.`;
}
