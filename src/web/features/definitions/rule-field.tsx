import { useRef, useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import * as texts from '#messages/check-designer.ts';
import type { RuleProblem } from '#shared/checks/rule-problem.ts';
import { parseRule } from '#shared/checks/type-rule.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/inputs/text-area.tsx';
import type { DefinitionValues } from './definition-form.ts';
import { useCheckScope } from './rule-scope.ts';
import { suggestInRule } from './rule-suggestions.ts';
import shared from '#web/ui/shared.module.css';
import classes from './checks.module.css';

interface RuleFieldProps {
  readonly control: Control<DefinitionValues>;
  readonly name: `checks.${number}.${'rule' | 'when'}`;
  readonly label: string;
  readonly description?: string;
}

/**
 * A rule editor that parses the rule while the user types: its first error is marked, and possible continuations are
 * suggested.
 */
export function RuleField({ control, name, label, description }: RuleFieldProps) {
  const { field, fieldState } = useController({ control, name });
  const scope = useCheckScope(control);
  const [cursor, setCursor] = useState<number | null>(null);
  const input = useRef<HTMLTextAreaElement | null>(null);
  const rule = field.value;
  const read = rule.trim() === '' ? null : parseRule(rule, scope);
  const problem = read && !read.ok ? read.problem : null;
  const message = problem?.message ?? fieldState.error?.message;
  const offered =
    cursor === null
      ? []
      : suggestInRule(
          rule.slice(0, cursor),
          scope.fields.map((scopeField) => scopeField.name),
          scope.columns,
        );
  const insert = (text: string, from: number) => {
    const to = from + text.length;
    field.onChange(rule.slice(0, from) + text + rule.slice(cursor ?? rule.length));
    setCursor(to);
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(to, to);
    });
  };
  return (
    <Field
      label={label}
      description={description}
      errors={message === undefined ? [] : [message]}
      note={problem && <Marked rule={rule} problem={problem} />}
    >
      {(controlProps) => (
        <>
          <TextArea
            {...controlProps}
            {...field}
            ref={(element) => {
              input.current = element;
              field.ref(element);
            }}
            className={shared.code}
            spellCheck={false}
            onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
          />
          {offered.length > 0 && (
            <div className={classes.offered} role="group" aria-label={texts.suggestions}>
              {offered.map(({ text, from }) => (
                <Button
                  key={text}
                  size="compact-xs"
                  variant="default"
                  onClick={() => insert(text, from)}
                >
                  {text}
                </Button>
              ))}
            </div>
          )}
        </>
      )}
    </Field>
  );
}

/** The rule with its error marked. */
function Marked({ rule, problem }: { readonly rule: string; readonly problem: RuleProblem }) {
  const { offset, length } = problem;
  return (
    <code className={classes.marked} aria-hidden="true">
      {rule.slice(0, offset)}
      <mark>{rule.slice(offset, offset + length) || ' '}</mark>
      {rule.slice(offset + length)}
    </code>
  );
}
