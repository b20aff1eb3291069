import { NativeSelect, TagsInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { joinList, splitList } from '#shared/lists.ts';
import { IconButton } from '../button.tsx';
import { CloseIcon } from '../icons.tsx';
import type { Suggest } from '../fields/use-suggestions.ts';
import { BooleanEditor } from '../fields/boolean-editor.tsx';
import { ValueEditor } from '../fields/value-editor.tsx';
import { fieldNamed, type ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';
import { type Condition, fromCondition, type Test, testsFor, testWords } from './operators.ts';

interface FilterConditionProps {
  /** values in use of a field, for one-line texts */
  readonly suggest: ((field: ListField) => Suggest) | undefined;
  readonly fields: readonly ListField[];
  readonly condition: Condition;
  /** what stands before it: where, and */
  readonly word: string;
  /** whether its value gets the focus when it is mounted */
  readonly startsFocused?: boolean;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

const VALUELESS: readonly Test[] = ['empty', 'filled'];

/** One condition: field, test in words, value with the editor of its type. */
export function FilterCondition(props: FilterConditionProps) {
  const { suggest, fields, condition, word, startsFocused = false, onChange, onRemove } = props;
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (startsFocused) focusValue(group.current);
  }, [startsFocused]);
  const field = fieldNamed(fields, condition.field);
  const offered = field ? testsFor(field) : [];
  const tests = offered.includes(condition.test) ? offered : [...offered, condition.test];
  const complete = field ? fromCondition(field, condition) : 'There is no such field.';
  const wrong = typeof complete === 'string' ? complete : null;

  const chooseField = (name: string) => {
    const next = fieldNamed(fields, name);
    if (!next) return;
    const able = testsFor(next);
    const alike = next.type === field?.type && !next.options === !field.options;
    const same = alike && able.includes(condition.test);
    onChange({
      field: next.name,
      test: same ? condition.test : (able[0] ?? 'eq'),
      value: same && !next.options ? condition.value : null,
    });
  };
  const chooseTest = (test: Test) => {
    const list = test === 'in' && condition.test !== 'in';
    const single = test !== 'in' && condition.test === 'in';
    const { value } = condition;
    if (value === null) onChange({ ...condition, test });
    else if (list) onChange({ ...condition, test, value: joinList([value]) });
    else onChange({ ...condition, test, value: single ? (splitList(value)[0] ?? null) : value });
  };

  return (
    <div ref={group} className={classes.condition} role="group" aria-label="Condition">
      <span className={classes.where}>{word}</span>
      <NativeSelect
        aria-label="Field"
        className={classes.chooseField ?? ''}
        data={[
          ...(field ? [] : [{ value: condition.field, label: condition.field }]),
          ...fields.map(({ name, label }) => ({ value: name, label })),
        ]}
        value={field?.name ?? condition.field}
        onChange={(event) => chooseField(event.target.value)}
      />
      <NativeSelect
        aria-label="Test"
        className={classes.chooseTest ?? ''}
        data={tests.map((test) => ({
          value: test,
          label: field ? testWords(field, test) : test,
        }))}
        value={condition.test}
        onChange={(event) => {
          const test = tests.find((known) => known === event.target.value);
          if (test) chooseTest(test);
        }}
      />
      {field && !VALUELESS.includes(condition.test) && (
        <div className={classes.value} data-filter-value>
          <FilterValue
            key={`${field.name} ${condition.test === 'in'}`}
            suggest={suggest}
            field={field}
            condition={condition}
            wrong={wrong !== null}
            onChange={(value) => onChange({ ...condition, value })}
          />
        </div>
      )}
      <IconButton aria-label="Remove the condition" size={26} onClick={onRemove}>
        <CloseIcon size={16} />
      </IconButton>
      {wrong !== null && <p className={classes.wrong}>{wrong}</p>}
    </div>
  );
}

/** Focuses the editor of the value; the choice of the test where the test takes no value. */
function focusValue(group: HTMLElement | null): void {
  const editor =
    group?.querySelector<HTMLElement>(
      '[data-filter-value] :is(input, textarea, select):not([type=hidden])',
    ) ?? group?.querySelector<HTMLElement>('select[aria-label=Test]');
  editor?.focus();
}

interface FilterValueProps {
  readonly suggest: ((field: ListField) => Suggest) | undefined;
  readonly field: ListField;
  readonly condition: Condition;
  readonly wrong: boolean;
  readonly onChange: (value: string | null) => void;
}

function FilterValue({ suggest, field, condition, wrong, onChange }: FilterValueProps) {
  if (condition.test === 'in') {
    return (
      <TagsInput
        aria-label="Values"
        placeholder={condition.value === null ? 'Values, each with Enter' : ''}
        data={field.options?.filter((option) => option !== null).map(String) ?? []}
        value={condition.value === null ? [] : splitList(condition.value)}
        onChange={(values) => onChange(values.length > 0 ? joinList(values) : null)}
        splitChars={[]}
      />
    );
  }
  const one = condition.test === 'eq' || condition.test === 'ne';
  if (field.type === 'boolean') {
    return (
      <BooleanEditor
        control={{ 'aria-label': 'Value' }}
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
        options: one ? field.options : null,
      }}
      control={{ 'aria-label': 'Value', 'aria-invalid': wrong }}
      value={condition.value}
      onChange={onChange}
      suggest={
        one && field.kind === 'field' && field.type === 'text' ? suggest?.(field) : undefined
      }
    />
  );
}
