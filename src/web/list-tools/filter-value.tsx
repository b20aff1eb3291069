import * as texts from '#messages/list-tools.ts';
import { finding } from '#messages/lists.ts';
import { TagsInput } from '@mantine/core';
import { joinList, splitList } from '#shared/rules/comma-list.ts';
import { isSameName } from '#shared/rules/names.ts';
import { isBoolean, isText } from '#shared/values/registry.ts';
import { PERIOD_LABELS } from '#web/api/relative-dates.ts';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { BooleanEditor } from '../fields/boolean-editor.tsx';
import { formatFieldValue } from '../fields/field-model.ts';
import { toInterfaceForm } from '../fields/typed-text.ts';
import type { Suggest } from '../fields/use-suggestions.ts';
import { ValueEditor } from '../fields/value-editor.tsx';
import { checkLabel } from './check-field.ts';
import type { EditedCondition } from './condition-groups.ts';
import type { ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';

interface FilterValueProps {
  /** values in use of a field, for one-line texts */
  readonly suggest: ((field: ListField) => Suggest) | undefined;
  readonly field: ListField;
  readonly condition: EditedCondition;
  /** whether the value is invalid */
  readonly wrong: boolean;
  readonly onChange: (value: string | null) => void;
}

/** The editor of a condition's value, by the test and the type of the field. */
export function FilterValue(props: FilterValueProps) {
  const { field, condition, onChange } = props;
  if (condition.test === 'within') return <PeriodValue {...props} />;
  if (condition.test === 'in') return <SeveralValues {...props} />;
  if (field.kind === 'check') return <CheckValue {...props} />;
  if (condition.test === 'between') return <RangeValue {...props} />;
  if (!isBoolean(field)) return <SingleValue {...props} />;
  return (
    <BooleanEditor
      control={{ 'aria-label': texts.value }}
      value={condition.value}
      onChange={onChange}
      withoutEmpty
    />
  );
}

const PERIODS = Object.entries(PERIOD_LABELS).map(([value, label]) => ({ value, label }));

function PeriodValue({ condition, onChange }: FilterValueProps) {
  return (
    <NativeSelect
      aria-label={texts.period}
      options={[{ value: '', label: texts.choosePeriod }, ...PERIODS]}
      value={condition.value ?? ''}
      onChange={(period) => onChange(period === '' ? null : period)}
    />
  );
}

function CheckValue({ field: { checks = [] }, condition, onChange }: FilterValueProps) {
  const given = condition.value ?? '';
  const listed = checks.find(({ name }) => isSameName(name, given));
  return (
    <NativeSelect
      aria-label={finding}
      options={[
        ...(listed ? [] : [{ value: given, label: given }]),
        ...checks.map(({ name, label }) => ({ value: name, label })),
      ]}
      value={listed?.name ?? given}
      onChange={(name) => onChange(name === '' ? null : name)}
    />
  );
}

function SeveralValues({ field, condition, wrong, onChange }: FilterValueProps) {
  const values = condition.value === null ? [] : splitList(condition.value);
  const rules = { type: field.type, options: null };
  const { checks } = field;
  const shownText = (value: string) =>
    checks ? checkLabel(field, value) : (formatFieldValue(rules, value) ?? '');
  const meant = (text: string) =>
    checks?.find(({ label }) => label === text)?.name ?? toInterfaceForm(rules, text);
  return (
    <TagsInput
      aria-label={texts.values}
      placeholder={condition.value === null ? texts.valuesEachEnter : ''}
      data={
        checks?.map(({ label }) => label) ??
        field.options?.filter((option) => option !== null).map(String) ??
        []
      }
      value={values.map(shownText)}
      onChange={(typed) => onChange(typed.length > 0 ? joinList(typed.map(meant)) : null)}
      splitChars={[]}
      error={wrong}
    />
  );
}

function RangeValue({ field, condition, wrong, onChange }: FilterValueProps) {
  const [from = '', to = ''] = splitList(condition.value ?? '');
  const change = (limits: readonly string[]) =>
    onChange(limits.every((limit) => limit === '') ? null : joinList(limits));
  const limit = (label: string, value: string, onLimit: (value: string) => void) => (
    <ValueEditor
      rules={{ type: field.type, maxLength: 200, options: null }}
      control={{ 'aria-label': label, 'aria-invalid': wrong }}
      value={value === '' ? null : value}
      onChange={(next) => onLimit(next ?? '')}
    />
  );
  return (
    <div className={classes.range}>
      {limit(texts.from, from, (value) => change([value, to]))}
      <span className={classes.where}>{texts.and}</span>
      {limit(texts.to, to, (value) => change([from, value]))}
    </div>
  );
}

function SingleValue({ suggest, field, condition, wrong, onChange }: FilterValueProps) {
  const isEqual = condition.test === 'eq' || condition.test === 'ne';
  return (
    <ValueEditor
      rules={{ type: field.type, maxLength: 200, options: isEqual ? field.options : null }}
      control={{ 'aria-label': texts.value, 'aria-invalid': wrong }}
      value={condition.value}
      onChange={onChange}
      suggest={isEqual && field.kind === 'field' && isText(field) ? suggest?.(field) : undefined}
    />
  );
}
