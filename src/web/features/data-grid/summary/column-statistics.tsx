import { useQuery } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import { formatCount } from '#shared/messages/format.ts';
import { shownValue } from '#web/fields/value-text.ts';
import { DescriptionItem } from '#web/ui/description-list.tsx';
import type { ListFilter } from '#web/api/list-view.ts';
import { statisticsQuery } from './summary.queries.ts';
import { meanText, sumText } from './summary-texts.ts';
import classes from './summary.module.css';
import * as texts from '#messages/table-summary.ts';

interface ColumnStatisticsProps {
  readonly guid: string;
  readonly view: ListFilter;
  readonly column: Column;
}

/** The statistics of a column over all matches: how many have a value, minimum and maximum, sum and mean. */
export function ColumnStatistics({ guid, view, column }: ColumnStatisticsProps) {
  const { data } = useQuery(statisticsQuery(guid, view, [column.name]));
  const [facts] = data?.facts ?? [];
  if (!facts) return null;
  const terms: readonly (readonly [string, string])[] = [
    [texts.filled, formatCount(facts.filled)],
    [texts.notFilled, formatCount(facts.empty)],
    [texts.distinct, facts.distinct === null ? texts.notCounted : formatCount(facts.distinct)],
    [texts.sum, sumText(column, facts.sum)],
    [texts.mean, meanText(facts.mean)],
    [texts.from, facts.min === null ? '' : shownValue(column, facts.min)],
    [texts.to, facts.max === null ? '' : shownValue(column, facts.max)],
  ];
  return (
    <dl className={classes.facts}>
      {terms.map(
        ([term, text]) =>
          text !== '' && (
            <DescriptionItem key={term} name={term}>
              {text}
            </DescriptionItem>
          ),
      )}
    </dl>
  );
}
