import { useQuery } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import { formatCount } from '#shared/messages/format.ts';
import { shownValue } from '#web/fields/value-text.ts';
import type { Listed } from '../rows/datasets.queries.ts';
import { factsQuery } from './summary.queries.ts';
import { meanWords, sumText } from './words.ts';
import classes from './summary.module.css';

interface FactsOfColumnProps {
  readonly guid: string;
  readonly view: Listed;
  readonly column: Column;
}

/** What is to be known about a column of all records that match: how many have a value, from what to what, sum and mean. */
export function FactsOfColumn({ guid, view, column }: FactsOfColumnProps) {
  const { data } = useQuery(factsQuery(guid, view, [column.name]));
  const [facts] = data?.facts ?? [];
  if (!facts) return null;
  const terms: readonly (readonly [string, string])[] = [
    ['With a value', formatCount(facts.filled)],
    ['Without', formatCount(facts.empty)],
    ['Different', facts.distinct === null ? 'not counted' : formatCount(facts.distinct)],
    ['Sum', sumText(column, facts.sum)],
    ['Mean', meanWords(facts.mean)],
    ['From', facts.min === null ? '' : shownValue(column, facts.min)],
    ['To', facts.max === null ? '' : shownValue(column, facts.max)],
  ];
  return (
    <dl className={classes.facts}>
      {terms.map(
        ([term, text]) =>
          text !== '' && (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
