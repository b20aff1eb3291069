import { useEffect, useEffectEvent, useState } from 'react';
import type { Where } from '#web/api/list-view.ts';
import { Button } from '../ui/button.tsx';
import { PlusIcon } from '../ui/icons.tsx';
import type { Suggest } from '../fields/use-suggestions.ts';
import { FilterCondition } from './filter-condition.tsx';
import { fieldNamed, type ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { type Condition, filterTestsFor, testsFor, toConditions, whereOf } from './operators.ts';

interface FilterStripProps {
  /** what the list can be filtered by */
  readonly fields: readonly ListField[];
  /** values in use of a field, for one-line texts */
  readonly suggest?: ((field: ListField) => Suggest) | undefined;
  /** the field whose condition is focused when the strip opens; it is added where there is none */
  readonly begin?: string | undefined;
  readonly where: readonly Where[];
  readonly onFilter: (where: readonly Where[]) => void;
}

interface Edited {
  readonly key: number;
  readonly condition: Condition;
}

const PAUSE_AFTER_TYPING = 300;

let lastKey = 0;
const edit = (condition: Condition): Edited => ({ key: ++lastKey, condition });

/** The conditions of the list's filter, all of which must hold. Those still without a value do not filter yet. */
export function FilterStrip({ fields, suggest, begin, where, onFilter }: FilterStripProps) {
  const fresh = (name?: string): Condition => {
    const field =
      (name === undefined ? undefined : fieldNamed(fields, name)) ??
      fields.find(({ kind }) => kind === 'field') ??
      fields[0];
    return {
      field: field?.name ?? '',
      test: field ? (testsFor(field)[0] ?? 'eq') : 'eq',
      value: null,
    };
  };
  const [edited, setEdited] = useState(() => {
    const now = toConditions(where).map(edit);
    const wanted = begin !== undefined && !where.some(({ field }) => field === begin);
    return now.length === 0 || wanted ? [...now, edit(fresh(begin))] : now;
  });
  const [focused] = useState(
    () => edited.findLast(({ condition }) => condition.field === begin)?.key ?? null,
  );

  const complete = edited.flatMap(({ condition }) => {
    const field = fieldNamed(fields, condition.field);
    const written = field ? whereOf(field, condition) : null;
    return written === null || typeof written === 'string' ? [] : written;
  });
  const now = JSON.stringify(complete);
  const outside = JSON.stringify(where);
  const [settled, setSettled] = useState(outside);
  if (settled !== outside) {
    setSettled(outside);
    // Back, forward or a link: what the address says now.
    if (outside !== now) setEdited(toConditions(where).map(edit));
  }
  const apply = useEffectEvent((written: string) => {
    if (written !== outside) onFilter(complete);
  });
  useEffect(() => {
    const timer = setTimeout(() => apply(now), PAUSE_AFTER_TYPING);
    return () => clearTimeout(timer);
  }, [now]);

  return (
    <section className={classes.strip} aria-label="Filter">
      <VisuallyHidden as="h2">Filter</VisuallyHidden>
      {edited.map(({ key, condition }, place) => (
        <FilterCondition
          key={key}
          suggest={suggest}
          fields={fields}
          testsOf={filterTestsFor}
          condition={condition}
          word={place === 0 ? 'Where' : 'and'}
          startsFocused={key === focused}
          onChange={(next) => setEdited(edited.with(place, { key, condition: next }))}
          onRemove={() => setEdited(edited.toSpliced(place, 1))}
        />
      ))}
      <Button
        variant="subtle"
        color="gray"
        leftSection={<PlusIcon size={14} />}
        onClick={() => setEdited([...edited, edit(fresh())])}
      >
        Add a condition
      </Button>
      {edited.length > 1 && (
        <Button variant="subtle" color="gray" onClick={() => setEdited([])}>
          Clear all
        </Button>
      )}
    </section>
  );
}
