import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { TextInput } from '#web/ui/inputs/text-input.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import type { ValueGroup } from '#shared/contract/table-analysis-answers.ts';
import { isNumber, isText } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { type ListView, type Where, withoutField } from '#web/api/list-view.ts';
import { formatCount } from '#shared/messages/format.ts';
import { QueryError } from '#web/ui/query-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { ColumnStatistics } from './column-statistics.tsx';
import { groupsQuery } from './summary.queries.ts';
import { useRefetchStatistics } from './use-refetch-statistics.ts';
import { sumText, valueText } from './summary-texts.ts';
import classes from './summary.module.css';
import * as texts from '#messages/table-summary.ts';

interface SummaryPanelProps {
  readonly guid: string;
  readonly columns: readonly Column[];
  /** the column whose values are shown */
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly onClose: () => void;
}

const MAX_SUMS = 3;
const ORDERS = [
  { value: '-count', label: texts.byCount },
  { value: 'value', label: texts.byValue },
] as const;

/** The values of a column with counts and sums, over all matches of the list; a press filters by one. */
export function SummaryPanel({ columns, name, ...props }: SummaryPanelProps) {
  // The column may have been removed since it was chosen.
  const column = columns.find((one) => one.name === name) ?? columns[0];
  return column && <ColumnSummary columns={columns} column={column} {...props} />;
}

interface ColumnSummaryProps extends Omit<SummaryPanelProps, 'name'> {
  readonly column: Column;
}

function ColumnSummary(props: ColumnSummaryProps) {
  const { guid, columns, column, onName, view, onViewChange, onClose } = props;
  const { name } = column;
  useRefetchStatistics(guid);
  const [sort, setSort] = useState<'-count' | 'value'>('-count');
  const [like, setLike] = useState('');
  const numbers = columns.filter((one) => one !== column && isNumber(one));
  const [summed, setSummed] = useState<string>('');
  const columnSums = numbers.map((one) => ({
    value: one.name,
    label: texts.sumsOfColumn(one.label),
  }));
  const chosenSum = numbers.find((one) => one.name === summed);
  const sums = chosenSum ? [chosenSum] : numbers.slice(0, MAX_SUMS);
  // The values to choose from stay while one of them is chosen.
  const others = { ...view, where: withoutField(view.where ?? [], name) };
  const isOfTexts = isText(column);
  const { data, error, isFetching, refetch } = useQuery(
    groupsQuery(guid, others, {
      by: name,
      sums: sums.map((sum) => sum.name),
      sort,
      like: isOfTexts ? like : '',
    }),
  );

  const chosen = (view.where ?? []).filter(({ field }) => field === name);
  const isChosen = (value: Scalar) =>
    chosen.length === 1 && isSame(chosen[0], conditionFor(column, value));
  const choose = (value: Scalar) => {
    const where = isChosen(value) ? others.where : [...others.where, conditionFor(column, value)];
    onViewChange({ ...view, where });
  };
  return (
    <SidePanel
      title={texts.title}
      closeLabel={texts.close}
      onClose={onClose}
      top={
        <>
          <div className={classes.controls}>
            <NativeSelect
              aria-label={texts.valuesOf}
              value={name}
              options={columns.map((one) => ({ value: one.name, label: one.label }))}
              onChange={onName}
            />
            <NativeSelect
              aria-label={texts.order}
              value={sort}
              options={ORDERS}
              onChange={setSort}
            />
            {numbers.length > MAX_SUMS && (
              <NativeSelect
                aria-label={texts.sumsOf}
                value={summed}
                options={[{ value: '', label: texts.sumsOfFirst }, ...columnSums]}
                onChange={setSummed}
              />
            )}
            {isOfTexts && (
              <TextInput
                aria-label={texts.findValueOf(column.label)}
                placeholder={texts.findValue}
                value={like}
                onChange={(event) => setLike(event.currentTarget.value)}
              />
            )}
          </div>
          <ColumnStatistics guid={guid} view={view} column={column} />
        </>
      }
    >
      <QueryError query={{ error, refetch }} />
      {!data && isFetching && <Spinner label={texts.counting} />}
      {data && (
        <GroupTable
          groups={data.groups}
          column={column}
          sums={sums}
          isBusy={isFetching}
          isChosen={isChosen}
          onChoose={choose}
        />
      )}
      {data && data.total > data.groups.length && (
        <p className={classes.more}>
          {(isOfTexts ? texts.valuesToFind : texts.values)({
            count: data.groups.length,
            of: data.total,
          })}
        </p>
      )}
    </SidePanel>
  );
}

interface GroupTableProps {
  readonly groups: readonly ValueGroup[];
  readonly column: Column;
  readonly sums: readonly Column[];
  readonly isBusy: boolean;
  readonly isChosen: (value: Scalar) => boolean;
  readonly onChoose: (value: Scalar) => void;
}

/** The values of the column, each with the number of its records and their sums. */
function GroupTable({ groups, column, sums, isBusy, isChosen, onChoose }: GroupTableProps) {
  return (
    <table className={classes.groups} aria-busy={isBusy}>
      <thead>
        <tr>
          <th scope="col" data-number={isNumber(column) || undefined}>
            {column.label}
          </th>
          <th scope="col" data-number>
            {texts.records}
          </th>
          {sums.map((sum) => (
            <th key={sum.name} scope="col" data-number>
              {texts.sumHeading(sum.label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => {
          const value = group.values[column.name] ?? null;
          const chosen = isChosen(value);
          return (
            <tr key={JSON.stringify(value)} data-chosen={chosen || undefined}>
              <td data-number={isNumber(column) || undefined}>
                <button
                  type="button"
                  className={classes.value}
                  aria-pressed={chosen}
                  data-nothing={value === null || value === '' || undefined}
                  onClick={() => onChoose(value)}
                >
                  {valueText(column, value)}
                </button>
              </td>
              <td data-number>{formatCount(group.count)}</td>
              {sums.map((sum) => (
                <td key={sum.name} data-number>
                  {sumText(sum, group.sums[sum.name] ?? null)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function conditionFor({ name }: Column, value: Scalar): Where {
  return value === null
    ? { field: name, op: 'null', value: 'true' }
    : { field: name, op: 'eq', value: String(value) };
}

function isSame(one: Where | undefined, other: Where): boolean {
  return one?.op === other.op && one.value === other.value;
}
