import * as texts from '#messages/list-tools.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { joinList, splitList } from '#shared/rules/comma-list.ts';
import { findByName } from '#shared/rules/names.ts';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import type { Suggest } from '../fields/use-suggestions.ts';
import { IconButton } from '../ui/button.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import type { EditedCondition, ConditionTest } from './condition-groups.ts';
import { FilterValue } from './filter-value.tsx';
import type { ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';
import { testsFor, testLabel, whereOf } from './operators.ts';

interface FilterConditionProps {
  /** values in use of a field, for one-line texts */
  readonly suggest: ((field: ListField) => Suggest) | undefined;
  readonly fields: readonly ListField[];
  readonly condition: EditedCondition;
  /** the tests to offer for a field; undefined: those of a single condition */
  readonly testsOf?: (field: ListField) => readonly ConditionTest[];
  /** before it: a word, or the choice of its conjunction with the previous condition */
  readonly lead: ReactNode;
  /** whether there are alternatives to it */
  readonly isInGroup?: boolean;
  /** whether its value gets the focus when it is mounted */
  readonly startsFocused?: boolean;
  readonly onChange: (condition: EditedCondition) => void;
  readonly onRemove: () => void;
}

/** Whether the value of a test is a comma-separated list. */
const isList = (test: ConditionTest) => test === 'in' || test === 'between';
/** Tests whose value needs a different editor than the field. */
const OWN_EDITOR: readonly ConditionTest[] = ['in', 'between', 'within'];
const VALUELESS: readonly ConditionTest[] = ['empty', 'filled'];

/** One condition: field, test in words, value with the editor of its type. */
export function FilterCondition(props: FilterConditionProps) {
  const { suggest, fields, condition, testsOf = testsFor, lead, onChange, onRemove } = props;
  const { isInGroup = false, startsFocused = false } = props;
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (startsFocused) focusValue(group.current);
  }, [startsFocused]);
  const field = findByName(fields, condition.field);
  const offered = field ? testsOf(field) : [];
  const tests = offered.includes(condition.test) ? offered : [...offered, condition.test];
  const complete = field ? whereOf(field, condition) : texts.noSuchField;
  const wrong = typeof complete === 'string' ? complete : null;

  const chooseField = (name: string) => {
    const next = findByName(fields, name);
    if (!next) return;
    const able = testsOf(next);
    const isCheck = [next.kind, field?.kind].includes('check');
    const hasSameType = !isCheck && next.type === field?.type && !next.options === !field.options;
    const same = hasSameType && able.includes(condition.test);
    onChange({
      field: next.name,
      test: same ? condition.test : (able[0] ?? 'eq'),
      value: same && !next.options ? condition.value : null,
    });
  };
  const chooseTest = (test: ConditionTest) => {
    const before = condition.value ?? '';
    const values = isList(condition.test) ? splitList(before) : [before];
    // A period is not a value of the field.
    const keeps = test !== 'within' && condition.test !== 'within';
    const given = keeps ? values.filter((value) => value !== '') : [];
    const value = isList(test) ? joinList(given) : (given[0] ?? null);
    onChange({ ...condition, test, value: value === '' ? null : value });
  };

  return (
    <div
      ref={group}
      className={classes.condition}
      data-in-group={isInGroup}
      role="group"
      aria-label={texts.condition}
    >
      {lead}
      <NativeSelect
        aria-label={texts.field}
        className={classes.chooseField}
        options={[
          ...(field ? [] : [{ value: condition.field, label: condition.field }]),
          ...fields.map(({ name, label }) => ({ value: name, label })),
        ]}
        value={field?.name ?? condition.field}
        onChange={chooseField}
      />
      <NativeSelect
        aria-label={texts.test}
        data-filter-test
        className={classes.chooseTest}
        options={tests.map((test) => ({
          value: test,
          label: field ? testLabel(field, test) : test,
        }))}
        value={condition.test}
        onChange={chooseTest}
      />
      {field && !VALUELESS.includes(condition.test) && (
        <div className={classes.value} data-filter-value>
          <FilterValue
            key={`${field.name} ${OWN_EDITOR.includes(condition.test) ? condition.test : ''}`}
            suggest={suggest}
            field={field}
            condition={condition}
            wrong={wrong !== null}
            onChange={(value) => onChange({ ...condition, value })}
          />
        </div>
      )}
      <IconButton aria-label={texts.removeCondition} size={26} onClick={onRemove}>
        <CloseIcon size={16} />
      </IconButton>
      {wrong !== null && <p className={classes.wrong}>{wrong}</p>}
    </div>
  );
}

/** Focuses the editor of the value, or the choice of the test if the test has no value. */
function focusValue(group: HTMLElement | null): void {
  const editor =
    group?.querySelector<HTMLElement>(
      '[data-filter-value] :is(input, textarea, select):not([type=hidden])',
    ) ?? group?.querySelector<HTMLElement>('select[data-filter-test]');
  editor?.focus();
}
