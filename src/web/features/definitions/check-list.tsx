import { useEffect, useRef, useState } from 'react';
import {
  type UseFormReturn,
  useController,
  useFieldArray,
  useFormState,
  useWatch,
} from 'react-hook-form';
import * as texts from '#messages/check-designer.ts';
import { BUILT_IN_CHECKS } from '#shared/rules/check-words.ts';
import { builtInLabel } from '#messages/built-in-checks.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { optionsOf, Select } from '#web/ui/inputs/select.tsx';
import { CheckProperties } from './check-properties.tsx';
import { firstFreeNumber } from './first-free-number.ts';
import { checkFrom, type Template, TEMPLATES } from './check-templates.ts';
import type { CollectionDefinition } from './collection-definition.ts';
import type { DefinitionValues } from './definition-form.ts';
import { useCheckScope } from './rule-scope.ts';
import shared from '#web/ui/shared.module.css';
import checkClasses from './checks.module.css';
import classes from './definitions.module.css';

const TEMPLATE_OPTIONS = optionsOf(TEMPLATES, texts.templateNames);

interface CheckListProps {
  readonly form: UseFormReturn<DefinitionValues>;
  /** null: not saved yet */
  readonly saved: CollectionDefinition | null;
  /** its position in the list */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

/** The checks of a definition, the properties of the selected one, and switches for the built-in checks. */
export function CheckList({ form, saved, selected, onSelect }: CheckListProps) {
  const { control } = form;
  const { append, remove } = useFieldArray({ control, name: 'checks' });
  const checks = useWatch({ control, name: 'checks' });
  const scope = useCheckScope(control);
  const [template, setTemplate] = useState<Template>('rule');
  const addButton = useRef<HTMLButtonElement>(null);
  /** the position of a check that was just added: its label is focused once it is shown */
  const added = useRef<number | null>(null);
  const { setFocus } = form;
  useEffect(() => {
    if (added.current === null || checks.length <= added.current) return;
    setFocus(`checks.${added.current}.label`, { shouldSelect: true });
    added.current = null;
  }, [checks.length, setFocus]);
  const add = () => {
    const number = firstFreeNumber(checks, texts.newCheck);
    append(checkFrom(template, { ...scope, number }), { shouldFocus: false });
    added.current = checks.length;
    onSelect(checks.length);
  };
  return (
    <section className={classes.section} aria-label={texts.title}>
      <h2 className={shared.quietHeading}>{texts.title}</h2>
      <p className={shared.note}>{texts.hint}</p>
      <div className={checkClasses.checks}>
        <div className={classes.fields}>
          <CheckItems form={form} selected={selected} onSelect={onSelect} />
          <Field label={texts.templates}>
            {(controlProps) => (
              <Select
                {...controlProps}
                options={TEMPLATE_OPTIONS}
                value={template}
                onChange={setTemplate}
              />
            )}
          </Field>
          <div className={shared.buttons}>
            <Button ref={addButton} variant="default" onClick={add}>
              {texts.addCheck}
            </Button>
          </div>
        </div>
        {checks[selected] && (
          <CheckProperties
            key={selected}
            form={form}
            index={selected}
            saved={saved}
            onRemove={() => {
              remove(selected);
              onSelect(Math.max(0, selected - 1));
              addButton.current?.focus();
            }}
          />
        )}
        <BuiltInChecks form={form} />
      </div>
    </section>
  );
}

/** The labels of the checks, to select one. */
function CheckItems({ form: { control }, selected, onSelect }: Omit<CheckListProps, 'saved'>) {
  const checks = useWatch({ control, name: 'checks' });
  const { errors } = useFormState({ control });
  if (checks.length === 0) return <p className={shared.note}>{texts.none}</p>;
  return (
    <ol className={classes.list} aria-label={texts.list}>
      {checks.map((check, index) => (
        <li
          key={`${check.name} ${index}`}
          className={classes.item}
          data-selected={index === selected || undefined}
          data-invalid={errors.checks?.[index] !== undefined || undefined}
        >
          <button
            type="button"
            className={classes.itemButton}
            aria-pressed={index === selected}
            onClick={() => onSelect(index)}
          >
            <span className={classes.itemLabel}>{check.label || check.name}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function BuiltInChecks({ form: { control } }: Pick<CheckListProps, 'form'>) {
  const { field } = useController({ control, name: 'checksOff' });
  return (
    <fieldset className={`${checkClasses.choices} ${checkClasses.builtIn}`}>
      <legend className={shared.quietHeading}>{texts.builtIn}</legend>
      {BUILT_IN_CHECKS.map((builtIn) => (
        <Checkbox
          key={builtIn}
          label={builtInLabel(builtIn)}
          checked={!field.value.includes(builtIn)}
          onChange={({ currentTarget: { checked } }) =>
            field.onChange(
              BUILT_IN_CHECKS.filter((other) =>
                other === builtIn ? !checked : field.value.includes(other),
              ),
            )
          }
        />
      ))}
    </fieldset>
  );
}
