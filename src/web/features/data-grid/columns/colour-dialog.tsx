import { Modal } from '@mantine/core';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { useState } from 'react';
import { COLOURS, type ColourRule, isServiceWhere } from '#web/api/list-view.ts';
import { Button } from '#web/ui/button.tsx';
import { PlusIcon } from '#web/ui/icons.tsx';
import { FilterCondition } from '#web/list-tools/filter-condition.tsx';
import type { ListField } from '#web/list-tools/list-field.ts';
import { type Condition, fromCondition, testsFor, toCondition } from '#web/list-tools/operators.ts';
import classes from './columns-menu.module.css';

interface ColourDialogProps {
  readonly field: ListField;
  readonly fields: readonly ListField[];
  readonly rules: readonly ColourRule[];
  readonly onChange: (rules: readonly ColourRule[]) => void;
  readonly onClose: () => void;
}

interface Draft {
  readonly key: number;
  readonly condition: Condition;
  readonly colour: ColourRule['colour'];
}

let keys = 0;

const emptyDraft = (field: ListField, colour: ColourRule['colour']): Draft => ({
  key: ++keys,
  condition: { field: field.name, test: testsFor(field)[0] ?? 'eq', value: null },
  colour,
});

/** Which cells are coloured; for all columns, with a new rule for the one it was opened from. */
export function ColourDialog({ field, fields, rules, onChange, onClose }: ColourDialogProps) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => {
    const kept = rules.map((rule) => ({
      key: ++keys,
      condition: toCondition(rule),
      colour: rule.colour,
    }));
    const has = rules.some((rule) => rule.field === field.name);
    return has
      ? kept
      : [...kept, emptyDraft(field, COLOURS[kept.length % COLOURS.length] ?? 'red')];
  });
  const take = (next: readonly Draft[]) => {
    setDrafts(next);
    onChange(
      next.flatMap(({ condition, colour }) => {
        const of = fields.find(({ name }) => name === condition.field);
        const where = of ? fromCondition(of, condition) : null;
        if (where === null || typeof where === 'string' || !isServiceWhere(where)) return [];
        return [{ ...where, colour }];
      }),
    );
  };
  const replace = (at: number, next: Partial<Draft>) =>
    take(drafts.map((draft, i) => (i === at ? { ...draft, ...next } : draft)));
  return (
    <Modal
      opened
      onClose={onClose}
      title="Colour cells"
      size={720}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={classes.rules}>
        {drafts.map((draft, i) => (
          <div key={draft.key} className={classes.rule}>
            <NativeSelect
              aria-label="Colour"
              className={classes.chooseColour}
              data-colour={draft.colour}
              options={COLOURS.map((colour) => ({ value: colour, label: colour }))}
              value={draft.colour}
              onChange={(colour) => replace(i, { colour })}
            />
            <FilterCondition
              suggest={undefined}
              fields={fields}
              condition={draft.condition}
              word="where"
              onChange={(condition) => replace(i, { condition })}
              onRemove={() => take(drafts.filter((_, at) => at !== i))}
            />
          </div>
        ))}
      </div>
      <p className={classes.hint}>
        The first rule that holds colours a cell. Colours are part of the view.
      </p>
      <div className={classes.foot}>
        <Button
          variant="subtle"
          leftSection={<PlusIcon size={14} />}
          onClick={() =>
            take([...drafts, emptyDraft(field, COLOURS[drafts.length % COLOURS.length] ?? 'red')])
          }
        >
          Add a rule
        </Button>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Modal>
  );
}
