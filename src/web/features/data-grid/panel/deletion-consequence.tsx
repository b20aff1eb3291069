import { useQuery } from '@tanstack/react-query';
import type { Dataset, TableDetail } from '#shared/answers.ts';
import { shownCount } from '#web/api/reader.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './panel.module.css';
import { type Use, usesQuery } from './uses.queries.ts';

interface DeletionConsequenceProps {
  readonly table: TableDetail;
  readonly dataset: Dataset;
}

/** What still holds the values of a record that is to be deleted, as they are shown. */
export function DeletionConsequence({ table, dataset }: DeletionConsequenceProps) {
  const { username } = useSession();
  const { data: uses, error } = useQuery(usesQuery(username, table, dataset));
  if (error) {
    return <p className={classes.consequence}>Where its values are in use could not be read.</p>;
  }
  if (!uses) {
    return (
      <p className={classes.consequence}>
        <Spinner size={13} label="Looking where its values are in use" />
      </p>
    );
  }
  if (uses.length === 0) {
    return (
      <p className={classes.consequence}>
        Nothing that you may see uses its values as a choice from this table.
      </p>
    );
  }
  return (
    <ul className={classes.consequence}>
      {uses.map((use) => (
        <li key={JSON.stringify([use.of, use.label])}>{wordsOf(use)}</li>
      ))}
    </ul>
  );
}

function wordsOf({ of, what, label, value, count }: Use): string {
  const one = count === 1;
  const many = `${shownCount(count)} ${what}${one ? '' : 's'}`;
  return `${many} of ${of} ${one ? 'has' : 'have'} ${value} in ${label}, chosen from this table. ${one ? 'It keeps' : 'They keep'} it, but it can no longer be chosen.`;
}
