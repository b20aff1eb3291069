import * as listsTexts from '#messages/lists.ts';
import * as listToolsTexts from '#messages/list-tools.ts';
import { useState } from 'react';
import type { Where } from '#web/api/list-view.ts';
import { Button } from '../ui/button.tsx';
import { PlusIcon } from '../ui/icons.tsx';
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
  RANGE_TESTS,
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

interface Edited extends FilterStep {
  readonly key: number;
}

const PAUSE_AFTER_TYPING = 300;

let lastKey = 0;
const edit = (step: FilterStep): Edited => ({ key: ++lastKey, ...step });

/**
 * The conditions of the list's filter: each must be met together with the others (*and*), or is an alternative to the
 * previous one (*or*). Conditions without a value do not filter.
 */
export function FilterStrip({ collection, suggest, ...props }: FilterStripProps) {
  const fields = [...props.fields, useCheckField(collection, props.fields)];
  const { edited, firstFocused, change, add, apply } = useEditedSteps(fields, props);
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
        {edited.map((step, index) => {
          const { key, condition } = step;
          const before = edited[index - 1];
          const isInGroup = step.isAlternative || edited[index + 1]?.isAlternative === true;
          const changeStep = (next: Partial<FilterStep>) =>
            change(edited.with(index, { ...step, ...next }));
          return (
            <FilterCondition
              key={key}
              suggest={suggest}
              fields={fields}
              testsOf={isInGroup ? testsFor : filterTestsFor}
              condition={condition}
              isInGroup={isInGroup}
              word={index === 0 ? listToolsTexts.where : listToolsTexts.and}
              conjunction={
                before
                  ? {
                      isAlternative: step.isAlternative,
                      canBeAlternative: ![before.condition, condition].some(({ test }) =>
                        RANGE_TESTS.includes(test),
                      ),
                      onChange: (isAlternative) => changeStep({ isAlternative }),
                    }
                  : null
              }
              startsFocused={key === firstFocused}
              onChange={(next) => changeStep({ condition: next })}
              onRemove={() => change(withoutStep(edited, index))}
            />
          );
        })}
        <Button variant="subtle" color="gray" leftSection={<PlusIcon size={14} />} onClick={add}>
          {listToolsTexts.addCondition}
        </Button>
        {edited.length > 1 && (
          <Button variant="subtle" color="gray" onClick={() => change([])}>
            {listToolsTexts.clearAll}
          </Button>
        )}
      </section>
    </div>
  );
}

/** The conditions as they are edited; those that are complete are applied to the list. */
function useEditedSteps(
  fields: readonly ListField[],
  { begin, where, onFilter }: Pick<FilterStripProps, 'begin' | 'where' | 'onFilter'>,
) {
  const [edited, setEdited] = useState(() => {
    const now = toSteps(where).map(edit);
    const addsField = begin !== undefined && !where.some(({ field }) => field === begin);
    return now.length === 0 || addsField ? [...now, edit(newStep(fields, begin))] : now;
  });
  // Until the user changes something, the list's filter stays, even if it names an unknown field: the list reports
  // that.
  const [isChanged, setIsChanged] = useState(false);
  const change = (steps: readonly Edited[]) => {
    setEdited([...steps]);
    setIsChanged(true);
  };
  const [firstFocused] = useState(
    () => edited.findLast(({ condition }) => condition.field === begin)?.key ?? null,
  );

  const complete = filterFromSteps(edited, (condition) => {
    const field = findByName(fields, condition.field);
    return field ? whereOf(field, condition) : null;
  });
  const now = JSON.stringify(complete);
  const commit = useCommittedInput(
    JSON.stringify(where),
    () => onFilter(complete),
    (replaced) => {
      if (replaced === now) return;
      setEdited(toSteps(where).map(edit));
      setIsChanged(false);
    },
  );
  const apply = (written: string) => {
    if (isChanged) commit(written);
  };
  useDebouncedEffect(now, PAUSE_AFTER_TYPING, apply);
  return {
    edited,
    /** the key of the condition that has the focus at first; null: none */
    firstFocused,
    change,
    add: () => change([...edited, edit(newStep(fields))]),
    /** applies what was typed without waiting for a pause */
    apply: () => apply(now),
  };
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

/** Removes a condition; the alternative after the first one of a group becomes the first. */
function withoutStep(edited: readonly Edited[], index: number): Edited[] {
  const [removed, next] = [edited[index], edited[index + 1]];
  const rest = edited.toSpliced(index, 1);
  if (!next || removed?.isAlternative) return rest;
  return rest.with(index, { ...next, isAlternative: false });
}
