import * as texts from '#messages/bulk-rules.ts';
import { CASES } from '#shared/values/text-edits.ts';
import { DATE_ORDERS, DECIMAL_MARKS } from '#shared/values/value-type.ts';
import { valueType } from '#shared/values/registry.ts';
import { type Control, Controller, useFormState, useWatch } from 'react-hook-form';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { CheckboxField, TextField } from '#web/ui/form/form-fields.tsx';
import { SelectField } from '#web/ui/form/select-field.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { optionsOf } from '#web/ui/inputs/select.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './rule-editor.module.css';
import { kindsFor, type BulkRuleKind, type RulesForm } from './rule-form.ts';

interface RuleRowProps {
  readonly control: Control<RulesForm>;
  readonly index: number;
  readonly field: IndexFieldDefinition;
  /** all fields of the archive */
  readonly fields: readonly IndexFieldDefinition[];
  readonly onRemove: () => void;
}

/** One rule: the field, the kind of change, and its inputs. */
export function RuleRow(props: RuleRowProps) {
  const { control, index, field, onRemove } = props;
  const name = `rules.${index}.kind` as const;
  const state = useFormState({ control, name, exact: true });
  const { error } = control.getFieldState(name, state);
  const kind = useWatch({ control, name });
  return (
    <div className={classes.rule} role="group" aria-label={field.label}>
      <div className={classes.ruleHead}>
        <span className={classes.ruleField}>
          <ValueTypeIcon type={field.type} size={14} />
          {field.label}
        </span>
        <IconButton size={24} aria-label={texts.removeRule(field.label)} onClick={onRemove}>
          <CloseIcon size={14} />
        </IconButton>
      </div>
      <SelectField
        control={control}
        name={name}
        aria-label={texts.kindOf(field.label)}
        options={optionsOf(kindsFor(field), texts.kinds)}
      />
      <Operands {...props} kind={kind} />
      {error?.message !== undefined && (
        <p className={shared.wrong} role="alert">
          {error.type === 'service' && kind === 'replacePattern'
            ? texts.patternRefused(error.message)
            : error.message}
        </p>
      )}
    </div>
  );
}

interface OperandsProps extends RuleRowProps {
  readonly kind: BulkRuleKind;
}

function Operands({ control, index, field, fields, kind }: OperandsProps) {
  const at = `rules.${index}` as const;
  switch (kind) {
    case 'set':
      return (
        <Controller
          control={control}
          name={`${at}.value`}
          render={({ field: { value, onChange, onBlur } }) => (
            <Field label={texts.value}>
              {(controlProps) => (
                <ValueEditor
                  rules={field}
                  control={controlProps}
                  value={value}
                  onChange={onChange}
                  onBlur={onBlur}
                />
              )}
            </Field>
          )}
        />
      );
    case 'prepend':
    case 'append':
      return (
        <TextField
          control={control}
          name={`${at}.text`}
          label={texts.text}
          description={texts.textDescription}
        />
      );
    case 'replace':
    case 'replacePattern': {
      const isPattern = kind === 'replacePattern';
      return (
        <>
          <TextField
            control={control}
            name={`${at}.find`}
            label={isPattern ? texts.pattern : texts.find}
            description={isPattern ? texts.patternDescription : undefined}
            className={isPattern ? shared.code : undefined}
          />
          <TextField
            control={control}
            name={`${at}.to`}
            label={texts.replacement}
            placeholder={texts.noReplacement}
          />
          <CheckboxField control={control} name={`${at}.matchCase`} label={texts.matchCase} />
        </>
      );
    }
    case 'case':
      return (
        <SelectField
          control={control}
          name={`${at}.letterCase`}
          aria-label={texts.letterCase}
          options={optionsOf(CASES, texts.cases)}
        />
      );
    case 'copy':
    case 'parse':
      return (
        <>
          <SelectField
            control={control}
            name={`${at}.from`}
            label={kind === 'copy' ? texts.copyFrom : texts.readFrom}
            placeholder={texts.chooseField}
            options={fields
              .filter(({ name }) => name !== field.name)
              .map(({ name, label }) => ({ value: name, label }))}
          />
          {kind === 'parse' && <Notation control={control} index={index} field={field} />}
        </>
      );
    case 'clear':
    case 'trim':
      return null;
    default:
      return kind satisfies never;
  }
}

/** The notation of numbers or dates in the source text. */
function Notation({ control, index, field }: Pick<RuleRowProps, 'control' | 'index' | 'field'>) {
  const at = `rules.${index}` as const;
  const { notationPart } = valueType(field.type);
  switch (notationPart) {
    case 'decimal':
      return (
        <SelectField
          control={control}
          name={`${at}.decimal`}
          label={texts.decimalMark}
          placeholder={texts.anyClear}
          options={optionsOf(DECIMAL_MARKS, texts.decimalMarks)}
          isClearable
        />
      );
    case 'order':
      return (
        <SelectField
          control={control}
          name={`${at}.order`}
          label={texts.dateOrder}
          placeholder={texts.anyClear}
          options={optionsOf(DATE_ORDERS, texts.dateOrders)}
          isClearable
        />
      );
    case null:
      return null;
    default:
      return notationPart satisfies never;
  }
}
