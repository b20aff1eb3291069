import { Modal } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { Controller, useFieldArray, useForm } from 'react-hook-form';
import { COLOURS, type ColourRule, isServiceWhere } from '#web/api/list-view.ts';
import { FilterCondition } from '#web/list-tools/filter-condition.tsx';
import type { ListField } from '#web/list-tools/list-field.ts';
import type { EditedCondition } from '#web/list-tools/condition-groups.ts';
import { fromCondition, testsFor, toCondition } from '#web/list-tools/operators.ts';
import * as texts from '#messages/cell-colours.ts';
import * as commonTexts from '#messages/common.ts';
import { Button } from '#web/ui/button.tsx';
import { LocalForm } from '#web/ui/form/form.tsx';
import { PlusIcon } from '#web/ui/icons.tsx';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './colour-dialog.module.css';

interface ColourDialogProps {
  readonly field: ListField;
  readonly fields: readonly ListField[];
  readonly rules: readonly ColourRule[];
  readonly onChange: (rules: readonly ColourRule[]) => void;
  readonly onClose: () => void;
}

interface ColourForm {
  rules: { condition: EditedCondition; colour: ColourRule['colour'] }[];
}

const COLOUR_OPTIONS = COLOURS.map((colour) => ({ value: colour, label: texts.colours[colour] }));

/** The colour rules of all columns, with a new rule for the column from which it was opened. */
export function ColourDialog(props: ColourDialogProps) {
  const { field, fields, onClose } = props;
  const form = useColourForm(props);
  const { control } = form;
  const list = useFieldArray({ control, name: 'rules' });
  return (
    <Modal opened onClose={onClose} title={texts.title} size={720}>
      <LocalForm
        form={form}
        onSubmit={onClose}
        submit={{ label: commonTexts.done }}
        note={
          <Button
            variant="subtle"
            leftSection={<PlusIcon size={14} />}
            onClick={() => list.append(newRule(field, list.fields.length))}
          >
            {texts.addRule}
          </Button>
        }
      >
        <div className={classes.rules}>
          {list.fields.map(({ id }, at) => (
            <div key={id} className={classes.rule}>
              <Controller
                control={control}
                name={`rules.${at}.colour`}
                render={({ field: { value, onChange: choose } }) => (
                  <NativeSelect
                    aria-label={texts.colour}
                    className={classes.chooseColour}
                    data-colour={value}
                    options={COLOUR_OPTIONS}
                    value={value}
                    onChange={choose}
                  />
                )}
              />
              <Controller
                control={control}
                name={`rules.${at}.condition`}
                render={({ field: { value, onChange: change } }) => (
                  <FilterCondition
                    suggest={undefined}
                    fields={fields}
                    condition={value}
                    lead={<span className={shared.note}>{texts.where}</span>}
                    onChange={change}
                    onRemove={() => list.remove(at)}
                  />
                )}
              />
            </div>
          ))}
        </div>
        <p className={shared.muted}>{texts.hint}</p>
      </LocalForm>
    </Modal>
  );
}

function newRule(field: ListField, position: number): ColourForm['rules'][number] {
  return {
    condition: { field: field.name, test: testsFor(field)[0] ?? 'eq', value: null },
    colour: COLOURS[position % COLOURS.length] ?? 'red',
  };
}

/** The form of the rules. Complete ones take effect while others are being entered. */
function useColourForm({ field, fields, rules, onChange }: ColourDialogProps) {
  const form = useForm<ColourForm>({
    defaultValues: {
      rules: [
        ...rules.map((rule) => ({ condition: toCondition(rule), colour: rule.colour })),
        ...(rules.some((rule) => rule.field === field.name) ? [] : [newRule(field, rules.length)]),
      ],
    },
  });
  const apply = useEffectEvent((values: ColourForm) =>
    onChange(
      values.rules.flatMap(({ condition, colour }) => {
        const of = fields.find(({ name }) => name === condition.field);
        const where = of ? fromCondition(of, condition) : null;
        if (where === null || typeof where === 'string' || !isServiceWhere(where)) return [];
        return [{ ...where, colour }];
      }),
    ),
  );
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => apply(values) }),
    [form],
  );
  return form;
}
