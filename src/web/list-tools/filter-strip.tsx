import * as listsTexts from '#messages/lists.ts';
import * as listToolsTexts from '#messages/list-tools.ts';
import { useRef, useState } from 'react';
import { Controller, useFieldArray, useForm, useWatch } from 'react-hook-form';
import type { Where } from '#web/api/list-view.ts';
import { Button } from '../ui/button.tsx';
import { PlusIcon } from '../ui/icons.tsx';
import { NativeSelect } from '../ui/inputs/native-select.tsx';
import type { Suggest } from '../fields/use-suggestions.ts';
import { FilterCondition } from './filter-condition.tsx';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { useCheckField } from './check-field.ts';
import { findByName } from '#shared/rules/names.ts';
import type { ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { useCommittedInput } from '#web/ui/use-committed-input.ts';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';
import {
  type FilterStep,
  filterTestsFor,
  filterFromSteps,
  isRange,
  testsFor,
  toSteps,
  whereOf,
} from './operators.ts';

interface FilterStripProps {
  readonly collection: CollectionRef;
  /** what the list can be filtered by */
  readonly fields: readonly ListField[];
  /** values in use of a field, for one-line texts */
  readonly suggest?: ((field: ListField) => Suggest) | undefined;
  /** the field whose condition is focused when the strip opens; added if there is none */
  readonly begin?: string | undefined;
  readonly where: readonly Where[];
  readonly onFilter: (where: readonly Where[]) => void;
}

interface FilterValues {
  steps: FilterStep[];
}

const PAUSE_AFTER_TYPING = 300;
const CONJUNCTIONS = [
  { value: 'and', label: listToolsTexts.and },
  { value: 'or', label: listToolsTexts.or },
] as const;

/**
 * The conditions of the list's filter: each must be met together with the others (*and*), or is an alternative to the
 * previous one (*or*). Conditions without a value do not filter.
 */
export function FilterStrip({ collection, suggest, ...props }: FilterStripProps) {
  const fields = [...props.fields, useCheckField(collection, props.fields)];
  const { form, rows, steps, firstFocused, add, remove, apply } = useFilterForm(fields, props);
  const { control } = form;
  return (
    <div
      role="presentation"
      style={{ display: 'contents' }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) apply();
      }}
    >
      <section className={classes.strip} aria-label={listsTexts.filter}>
        <VisuallyHidden as="h2">{listsTexts.filter}</VisuallyHidden>
        {rows.fields.map(({ id }, index) => {
          const [before, step] = [steps[index - 1], steps[index]];
          if (!step) return null;
          const isInGroup = step.isAlternative || steps[index + 1]?.isAlternative === true;
          return (
            <Controller
              key={id}
              control={control}
              name={`steps.${index}.condition`}
              render={({ field: { value: condition, onChange } }) => (
                <FilterCondition
                  suggest={suggest}
                  fields={fields}
                  testsOf={isInGroup ? testsFor : filterTestsFor}
                  condition={condition}
                  isInGroup={isInGroup}
                  lead={
                    !before || isRange(before.condition) || isRange(condition) ? (
                      <span className={classes.where}>
                        {index === 0 ? listToolsTexts.where : listToolsTexts.and}
                      </span>
                    ) : (
                      <NativeSelect
                        aria-label={listToolsTexts.andOrOr}
                        className={classes.conjunction}
                        options={CONJUNCTIONS}
                        value={step.isAlternative ? 'or' : 'and'}
                        onChange={(word) =>
                          form.setValue(`steps.${index}.isAlternative`, word === 'or', {
                            shouldDirty: true,
                          })
                        }
                      />
                    )
                  }
                  startsFocused={id === firstFocused}
                  onChange={onChange}
                  onRemove={() => remove(index)}
                />
              )}
            />
          );
        })}
        <Button variant="subtle" color="gray" leftSection={<PlusIcon size={14} />} onClick={add}>
          {listToolsTexts.addCondition}
        </Button>
        {steps.length > 1 && (
          <Button variant="subtle" color="gray" onClick={() => rows.replace([])}>
            {listToolsTexts.clearAll}
          </Button>
        )}
      </section>
    </div>
  );
}

/** The conditions as they are edited; those that are complete are applied to the list. */
function useFilterForm(
  fields: readonly ListField[],
  { begin, where, onFilter }: Pick<FilterStripProps, 'begin' | 'where' | 'onFilter'>,
) {
  const form = useForm<FilterValues>({ defaultValues: { steps: stepsOf(where, fields, begin) } });
  const rows = useFieldArray({ control: form.control, name: 'steps' });
  const steps = useWatch({ control: form.control, name: 'steps' });
  const [firstFocused] = useState(
    () => rows.fields.findLast(({ condition }) => condition.field === begin)?.id,
  );
  const complete = filterFromSteps(steps, (condition) => {
    const field = findByName(fields, condition.field);
    return field ? whereOf(field, condition) : null;
  });
  const now = JSON.stringify(complete);
  // Until the user changes something, the list's filter stays, even if it names an unknown field: the list reports
  // that.
  const isChanged = useRef(false);
  const { isDirty } = form.formState;
  const commit = useCommittedInput(
    JSON.stringify(where),
    () => onFilter(complete),
    (replaced) => {
      if (replaced === now) return;
      isChanged.current = false;
      form.reset({ steps: toSteps(where) });
    },
  );
  const apply = (written: string) => {
    isChanged.current ||= isDirty;
    if (isChanged.current) commit(written);
  };
  useDebouncedEffect(now, PAUSE_AFTER_TYPING, apply);
  return {
    form,
    rows,
    steps,
    /** the id of the condition that has the focus at first; undefined: none */
    firstFocused,
    /** applies what was typed without waiting for a pause */
    apply: () => apply(now),
    add: () => rows.append(newStep(fields), { shouldFocus: false }),
    /** Removes a condition; the alternative after the first one of a group becomes the first. */
    remove: (index: number) => {
      if (steps[index]?.isAlternative === false && steps[index + 1])
        form.setValue(`steps.${index + 1}.isAlternative`, false);
      rows.remove(index);
    },
  };
}

/** The conditions of a filter, with a new one if it has none for the field `begin`. */
function stepsOf(where: readonly Where[], fields: readonly ListField[], begin?: string) {
  const steps = toSteps(where);
  const addsField = begin !== undefined && !where.some(({ field }) => field === begin);
  return steps.length === 0 || addsField ? [...steps, newStep(fields, begin)] : steps;
}

/** A condition without a value. @param name its field; if there is none of this name, it is the first one */
function newStep(fields: readonly ListField[], name?: string): FilterStep {
  const field =
    (name === undefined ? undefined : findByName(fields, name)) ??
    fields.find(({ kind }) => kind === 'field') ??
    fields[0];
  const test = field ? (testsFor(field)[0] ?? 'eq') : 'eq';
  return { condition: { field: field?.name ?? '', test, value: null }, isAlternative: false };
}
