import * as listsTexts from '#messages/lists.ts';
import * as listToolsTexts from '#messages/list-tools.ts';
import { isBoolean, isText } from '#shared/values/registry.ts';
import { TagsInput } from '@mantine/core';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { useEffect, useRef } from 'react';
import { joinList, splitList } from '#shared/rules/comma-list.ts';
import { isSameName } from '#shared/rules/names.ts';
import { IconButton } from '../ui/button.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import type { Suggest } from '../fields/use-suggestions.ts';
import { PERIOD_WORDS } from '#web/api/relative-dates.ts';
import { formatFieldValue } from '../fields/field-model.ts';
import { meantText } from '../fields/typed-text.ts';
import { BooleanEditor } from '../fields/boolean-editor.tsx';
import { ValueEditor } from '../fields/value-editor.tsx';
import { checkLabel } from './check-field.ts';
import type { EditedCondition, Test } from './condition-groups.ts';
import { fieldNamed, type ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';
import { testsFor, testWords, whereOf } from './operators.ts';

interface Conjunction {
  /** *or* instead of *and* */
  readonly isAlternative: boolean;
  readonly canBeAlternative: boolean;
  readonly onChange: (isAlternative: boolean) => void;
}

interface FilterConditionProps {
  /** values in use of a field, for one-line texts */
  readonly suggest: ((field: ListField) => Suggest) | undefined;
  readonly fields: readonly ListField[];
  readonly condition: EditedCondition;
  /** the tests to offer for a field; undefined: those of a single condition */
  readonly testsOf?: (field: ListField) => readonly Test[];
  /** the text before it, if there is no choice of a conjunction */
  readonly word: string;
  /** the choice of the conjunction with the previous condition; missing for single conditions */
  readonly conjunction?: Conjunction | null;
  /** whether there are alternatives to it */
  readonly isInGroup?: boolean;
  /** whether its value gets the focus when it is mounted */
  readonly startsFocused?: boolean;
  readonly onChange: (condition: EditedCondition) => void;
  readonly onRemove: () => void;
}

/** Whether the value of a test is a comma-separated list. */
const isList = (test: Test) => test === 'in' || test === 'between';
/** Tests whose value needs a different editor than the field. */
const OWN_EDITOR: readonly Test[] = ['in', 'between', 'within'];
const VALUELESS: readonly Test[] = ['empty', 'filled'];
const CONJUNCTIONS = [
  { value: 'and', label: listToolsTexts.and },
  { value: 'or', label: listToolsTexts.or },
] as const;
const PERIODS = Object.entries(PERIOD_WORDS).map(([value, label]) => ({ value, label }));

/** One condition: field, test in words, value with the editor of its type. */
export function FilterCondition(props: FilterConditionProps) {
  const {
    suggest,
    fields,
    condition,
    word,
    conjunction,
    startsFocused = false,
    onChange,
    onRemove,
  } = props;
  const { testsOf = testsFor, isInGroup = false } = props;
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (startsFocused) focusValue(group.current);
  }, [startsFocused]);
  const field = fieldNamed(fields, condition.field);
  const offered = field ? testsOf(field) : [];
  const tests = offered.includes(condition.test) ? offered : [...offered, condition.test];
  const complete = field ? whereOf(field, condition) : listToolsTexts.noSuchField;
  const wrong = typeof complete === 'string' ? complete : null;

  const chooseField = (name: string) => {
    const next = fieldNamed(fields, name);
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
  const chooseTest = (test: Test) => {
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
      aria-label={listToolsTexts.condition}
    >
      {conjunction?.canBeAlternative ? (
        <NativeSelect
          aria-label={listToolsTexts.andOrOr}
          className={classes.conjunction}
          options={CONJUNCTIONS}
          value={conjunction.isAlternative ? 'or' : 'and'}
          onChange={(word) => conjunction.onChange(word === 'or')}
        />
      ) : (
        <span className={classes.where}>{word}</span>
      )}
      <NativeSelect
        aria-label={listToolsTexts.field}
        className={classes.chooseField}
        options={[
          ...(field ? [] : [{ value: condition.field, label: condition.field }]),
          ...fields.map(({ name, label }) => ({ value: name, label })),
        ]}
        value={field?.name ?? condition.field}
        onChange={chooseField}
      />
      <NativeSelect
        aria-label={listToolsTexts.test}
        data-filter-test
        className={classes.chooseTest}
        options={tests.map((test) => ({
          value: test,
          label: field ? testWords(field, test) : test,
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
      <IconButton aria-label={listToolsTexts.removeCondition} size={26} onClick={onRemove}>
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

interface FilterValueProps {
  readonly suggest: ((field: ListField) => Suggest) | undefined;
  readonly field: ListField;
  readonly condition: EditedCondition;
  readonly wrong: boolean;
  readonly onChange: (value: string | null) => void;
}

function FilterValue({ suggest, field, condition, wrong, onChange }: FilterValueProps) {
  if (condition.test === 'within') {
    return (
      <NativeSelect
        aria-label={listToolsTexts.period}
        options={[{ value: '', label: listToolsTexts.choosePeriod }, ...PERIODS]}
        value={condition.value ?? ''}
        onChange={(period) => onChange(period === '' ? null : period)}
      />
    );
  }
  if (field.kind === 'check' && condition.test !== 'in') {
    const { checks = [] } = field;
    const given = condition.value ?? '';
    const listed = checks.find(({ name }) => isSameName(name, given));
    return (
      <NativeSelect
        aria-label={listsTexts.finding}
        options={[
          ...(listed ? [] : [{ value: given, label: given }]),
          ...checks.map(({ name, label }) => ({ value: name, label })),
        ]}
        value={listed?.name ?? given}
        onChange={(name) => onChange(name === '' ? null : name)}
      />
    );
  }
  if (condition.test === 'in') {
    const values = condition.value === null ? [] : splitList(condition.value);
    const rules = { type: field.type, options: null };
    const { checks } = field;
    const shownText = (value: string) =>
      checks ? checkLabel(field, value) : (formatFieldValue(rules, value) ?? '');
    const meant = (text: string) =>
      checks?.find(({ label }) => label === text)?.name ?? meantText(rules, text);
    return (
      <TagsInput
        aria-label={listToolsTexts.values}
        placeholder={condition.value === null ? listToolsTexts.valuesEachEnter : ''}
        data={
          checks?.map(({ label }) => label) ??
          field.options?.filter((option) => option !== null).map(String) ??
          []
        }
        value={values.map(shownText)}
        onChange={(texts) => {
          onChange(texts.length > 0 ? joinList(texts.map(meant)) : null);
        }}
        splitChars={[]}
        error={wrong}
      />
    );
  }
  if (condition.test === 'between') {
    const [from = '', to = ''] = splitList(condition.value ?? '');
    const change = (limits: readonly string[]) =>
      onChange(limits.every((limit) => limit === '') ? null : joinList(limits));
    const rules = { type: field.type, maxLength: 200, options: null };
    return (
      <div className={classes.range}>
        <ValueEditor
          rules={rules}
          control={{ 'aria-label': listToolsTexts.from, 'aria-invalid': wrong }}
          value={from === '' ? null : from}
          onChange={(value) => change([value ?? '', to])}
        />
        <span className={classes.where}>{listToolsTexts.and}</span>
        <ValueEditor
          rules={rules}
          control={{ 'aria-label': listToolsTexts.to, 'aria-invalid': wrong }}
          value={to === '' ? null : to}
          onChange={(value) => change([from, value ?? ''])}
        />
      </div>
    );
  }
  const isSingleValue = condition.test === 'eq' || condition.test === 'ne';
  if (isBoolean(field)) {
    return (
      <BooleanEditor
        control={{ 'aria-label': listToolsTexts.value }}
        value={condition.value}
        onChange={onChange}
        withoutEmpty
      />
    );
  }
  return (
    <ValueEditor
      rules={{
        type: field.type,
        maxLength: 200,
        options: isSingleValue ? field.options : null,
      }}
      control={{ 'aria-label': listToolsTexts.value, 'aria-invalid': wrong }}
      value={condition.value}
      onChange={onChange}
      suggest={
        isSingleValue && field.kind === 'field' && isText(field) ? suggest?.(field) : undefined
      }
    />
  );
}
