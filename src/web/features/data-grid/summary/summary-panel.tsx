import { isNumber, isText } from '#shared/values/registry.ts';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { TextInput } from '#web/ui/inputs/text-input.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import type { ValueGroup } from '#shared/contract/table-analysis-answers.ts';
import type { Scalar } from '#shared/values/values.ts';
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

/** The values of a column with counts and sums, over all matches of the list; a press filters by one. */
export function SummaryPanel(props: SummaryPanelProps) {
  const { guid, columns, name, onName, view, onViewChange, onClose } = props;
  useRefetchStatistics(guid);
  const column = columns.find((one) => one.name === name) ?? columns[0];
  const [sort, setSort] = useState<'-count' | 'value'>('-count');
  const [like, setLike] = useState('');
  const numbers = columns.filter((one) => one !== column && isNumber(one));
  const [summed, setSummed] = useState<string>('');
  const sums = numbers.some((one) => one.name === summed)
    ? [summed]
    : numbers.slice(0, MAX_SUMS).map((one) => one.name);
  // The values to choose from stay while one of them is chosen.
  const others = { ...view, where: withoutField(view.where ?? [], name) };
  const isOfTexts = column !== undefined && isText(column);
  const { data, error, isFetching, refetch } = useQuery({
    ...groupsQuery(guid, others, { by: name, sums, sort, like: isOfTexts ? like : '' }),
    enabled: column !== undefined,
  });
  if (!column) return null;

  const chosen = (view.where ?? []).filter(({ field }) => field === name);
  const choose = (value: Scalar) => {
    const condition = conditionFor(column, value);
    const was = chosen.length === 1 && isSame(chosen[0], condition);
    onViewChange({ ...view, where: was ? others.where : [...others.where, condition] });
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
              options={[
                { value: '-count', label: texts.byCount },
                { value: 'value', label: texts.byValue },
              ]}
              onChange={setSort}
            />
            {numbers.length > MAX_SUMS && (
              <NativeSelect
                aria-label={texts.sumsOf}
                value={summed}
                options={[
                  { value: '', label: texts.sumsOfFirst },
                  ...numbers.map((one) => ({
                    value: one.name,
                    label: texts.sumsOfColumn(one.label),
                  })),
                ]}
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
        <table className={classes.groups} aria-busy={isFetching}>
          <thead>
            <tr>
              <th scope="col" data-number={isNumber(column) || undefined}>
                {column.label}
              </th>
              <th scope="col" data-number>
                {texts.records}
              </th>
              {sums.map((sum) => (
                <th key={sum} scope="col" data-number>
                  {texts.sumHeading(columns.find((one) => one.name === sum)?.label ?? sum)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.groups.map((group) => (
              <GroupRow
                key={JSON.stringify(group.values[column.name])}
                group={group}
                column={column}
                columns={columns}
                sums={sums}
                chosen={
                  chosen.length === 1 &&
                  isSame(chosen[0], conditionFor(column, group.values[column.name] ?? null))
                }
                onChoose={choose}
              />
            ))}
          </tbody>
        </table>
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

interface GroupRowProps {
  readonly group: ValueGroup;
  readonly column: Column;
  readonly columns: readonly Column[];
  readonly sums: readonly string[];
  readonly chosen: boolean;
  readonly onChoose: (value: Scalar) => void;
}

function GroupRow({ group, column, columns, sums, chosen, onChoose }: GroupRowProps) {
  const value = group.values[column.name] ?? null;
  return (
    <tr data-chosen={chosen || undefined}>
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
        <td key={sum} data-number>
          {sumText(
            columns.find((one) => one.name === sum),
            group.sums[sum] ?? null,
          )}
        </td>
      ))}
    </tr>
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
