import { useQuery } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import { formatCount } from '#shared/messages/format.ts';
import { shownValue } from '#web/fields/value-text.ts';
import type { Listed } from '../rows/datasets.queries.ts';
import { factsQuery } from './summary.queries.ts';
import { meanWords, sumText } from './words.ts';
import classes from './summary.module.css';
import * as texts from '#messages/table-summary.ts';

interface FactsOfColumnProps {
  readonly guid: string;
  readonly view: Listed;
  readonly column: Column;
}

/** The statistics of a column over all matches: how many have a value, minimum and maximum, sum and mean. */
export function FactsOfColumn({ guid, view, column }: FactsOfColumnProps) {
  const { data } = useQuery(factsQuery(guid, view, [column.name]));
  const [facts] = data?.facts ?? [];
  if (!facts) return null;
  const terms: readonly (readonly [string, string])[] = [
    [texts.filled, formatCount(facts.filled)],
    [texts.notFilled, formatCount(facts.empty)],
    [texts.distinct, facts.distinct === null ? texts.notCounted : formatCount(facts.distinct)],
    [texts.sum, sumText(column, facts.sum)],
    [texts.mean, meanWords(facts.mean)],
    [texts.from, facts.min === null ? '' : shownValue(column, facts.min)],
    [texts.to, facts.max === null ? '' : shownValue(column, facts.max)],
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
