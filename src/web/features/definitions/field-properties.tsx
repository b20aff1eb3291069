import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type UseFieldArrayReturn, type UseFormReturn, useWatch } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import { notations } from '#messages/notations.ts';
import type { TableSummary } from '#shared/contract/answers.ts';
import { isSameName, keywordFieldName } from '#shared/rules/names.ts';
import { hasRule, isBoolean, VALUE_TYPES } from '#shared/values/registry.ts';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxField, TextField, TextAreaField } from '#web/ui/form/form-fields.tsx';
import { SelectField } from '#web/ui/form/select-field.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { optionsOf } from '#web/ui/inputs/select.tsx';
import type { CollectionDefinition } from './collection-definition.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import type { DefinitionValues, DesignedField } from './definition-form.ts';
import { FieldUses } from './field-uses.tsx';
import { nameFieldAfterLabel } from './name-after-label.ts';
import { renameReferencesInForm } from './renamed-fields.ts';
import { restoredIndex } from './restored-index.ts';
import shared from '#web/ui/shared.module.css';
import classes from './definitions.module.css';

const PurgeDialog = lazyDialog(async () => (await import('./purge-dialog.tsx')).PurgeDialog);

const TYPE_OPTIONS = optionsOf(VALUE_TYPES, texts.types);

const LIST_SORTS = [
  { value: '', label: texts.notSorted },
  { value: 'ascending', label: texts.ascending },
  { value: 'descending', label: texts.descending },
] as const;

interface FieldPropertiesProps {
  readonly form: UseFormReturn<DefinitionValues>;
  readonly list: UseFieldArrayReturn<DefinitionValues, 'fields'>;
  readonly kind: CollectionKind;
  /** as saved; null: a new one */
  readonly definition: CollectionDefinition | null;
  /** the position of the field in the list */
  readonly index: number;
  /** the field has moved, or is removed: selects the one at this position, and focuses its first input */
  readonly onFollow: (index: number) => void;
}

/** All properties of one field. Properties that its type does not have are hidden. */
export function FieldProperties(props: FieldPropertiesProps) {
  const { form, list, kind, definition, index, onFollow } = props;
  const { control } = form;
  const at = `fields.${index}` as const;
  const field = useWatch({ control, name: at });
  // Undefined while the field is removed.
  if (!field) return <p className={shared.note}>{texts.chooseField}</p>;
  const { type, savedType, isKeywordField } = field;
  return (
    <fieldset className={classes.properties}>
      <legend className={shared.quietHeading}>{field.label || field.name}</legend>
      <TextField
        control={control}
        name={`${at}.label`}
        label={texts.label}
        onLeave={() => nameFieldAfterLabel(form, index)}
      />
      <TextField
        control={control}
        name={`${at}.name`}
        label={texts.fieldName}
        description={texts.fieldNameHint}
        required
        onLeave={() => renameReferencesInForm(form)}
      />
      {!isKeywordField && (
        <>
          <SelectField
            control={control}
            name={`${at}.type`}
            label={texts.type}
            options={TYPE_OPTIONS}
          />
          {savedType !== null && savedType !== type && (
            <>
              <TextField
                control={control}
                name={`${at}.readAs`}
                label={texts.readAs}
                description={texts.readAsHint}
                list="notations"
              />
              <datalist id="notations">
                {Object.entries(notations).map(([tag, label]) => (
                  <option key={tag} value={tag}>
                    {label}
                  </option>
                ))}
              </datalist>
            </>
          )}
          <TextAreaField
            control={control}
            name={`${at}.description`}
            label={texts.fieldDescription}
            description={texts.fieldDescriptionHint}
          />
          <CheckboxField control={control} name={`${at}.required`} label={texts.required} />
          {kind === 'table' && (
            <CheckboxField control={control} name={`${at}.unique`} label={texts.unique} />
          )}
          <Rules form={form} index={index} />
          <Options form={form} index={index} />
          <TextField
            control={control}
            name={`${at}.group`}
            label={texts.group}
            description={texts.groupHint}
          />
          <CheckboxField control={control} name={`${at}.isHalfWidth`} label={texts.halfWidth} />
          <CheckboxField
            control={control}
            name={`${at}.isHiddenInLists`}
            label={texts.hiddenInLists}
          />
          <SelectField
            control={control}
            name={`${at}.listSort`}
            label={texts.listSort}
            options={LIST_SORTS}
          />
          {kind === 'archive' && !isBoolean({ type }) && (
            <CheckboxField control={control} name={`${at}.onPage`} label={texts.onPage} />
          )}
          {kind === 'table' && (
            <TextField control={control} name={`${at}.default`} label={texts.defaultValue} />
          )}
        </>
      )}
      {definition && field.savedName !== null && (
        <FieldUses definition={definition} field={field.savedName} />
      )}
      <Retirement
        form={form}
        list={list}
        definition={definition}
        index={index}
        onFollow={onFollow}
      />
    </fieldset>
  );
}

function Rules({ form: { control }, index }: Pick<FieldPropertiesProps, 'form' | 'index'>) {
  const at = `fields.${index}` as const;
  const type = useWatch({ control, name: `${at}.type` });
  return (
    <div className={classes.rules}>
      {hasRule(type, 'maxLength') && (
        <TextField
          control={control}
          name={`${at}.maxLength`}
          label={texts.maxLength}
          inputMode="numeric"
        />
      )}
      {hasRule(type, 'scale') && (
        <TextField control={control} name={`${at}.scale`} label={texts.scale} inputMode="numeric" />
      )}
      {hasRule(type, 'min') && <TextField control={control} name={`${at}.min`} label={texts.min} />}
      {hasRule(type, 'max') && <TextField control={control} name={`${at}.max`} label={texts.max} />}
      {hasRule(type, 'pattern') && (
        <>
          <TextField
            control={control}
            name={`${at}.pattern`}
            label={texts.pattern}
            description={texts.patternHint}
            spellCheck={false}
          />
          <TextField
            control={control}
            name={`${at}.patternDescription`}
            label={texts.patternDescription}
            description={texts.patternDescriptionHint}
          />
        </>
      )}
    </div>
  );
}

/** Options from a list, or from a column of a table. */
function Options({ form: { control }, index }: Pick<FieldPropertiesProps, 'form' | 'index'>) {
  const at = `fields.${index}` as const;
  const table = useWatch({ control, name: `${at}.optionsTable` });
  const tables = useQuery(tablesQuery);
  const guid = tables.data?.find((one) => isTableNamed(one, table))?.guid;
  const columns = useQuery({ ...tableQuery(guid ?? ''), enabled: guid !== undefined });
  if (!tables.data) return <QueryPending query={tables} title={texts.tablesNotRead} />;
  return (
    <>
      <SelectField
        control={control}
        name={`${at}.optionsTable`}
        label={texts.optionsTable}
        options={[
          { value: '', label: texts.noTable },
          ...tables.data.map((one) => ({
            value: isTableNamed(one, table) ? table : one.guid,
            label: one.label,
          })),
        ]}
      />
      {table === '' ? (
        <TextAreaField
          control={control}
          name={`${at}.options`}
          label={texts.options}
          description={texts.optionsHint}
        />
      ) : (
        <>
          {guid !== undefined && !columns.data ? (
            <QueryPending query={columns} title={texts.columnsNotRead} />
          ) : (
            <SelectField
              control={control}
              name={`${at}.optionsColumn`}
              label={texts.optionsColumn}
              options={(columns.data?.columns ?? []).map(({ name, label }) => ({
                value: name,
                label,
              }))}
            />
          )}
          <TextAreaField
            control={control}
            name={`${at}.fills`}
            label={texts.fills}
            description={texts.fillsHint}
          />
        </>
      )}
    </>
  );
}

/** Whether a definition means the table: it names it by its GUID or by its name. */
function isTableNamed({ guid, name }: TableSummary, named: string): boolean {
  return isSameName(guid, named) || isSameName(name, named);
}

/** A saved field is retired and restored; an unsaved one is removed. */
function Retirement({
  form,
  list: { fields, remove, update, move },
  definition,
  index,
  onFollow,
}: Omit<FieldPropertiesProps, 'kind'>) {
  const { control } = form;
  const field = useWatch({ control, name: `fields.${index}` });
  if (!field) return null;
  if (field.savedName === null) {
    const removeField = () => {
      remove(index);
      if (fields.length > 1) onFollow(Math.min(index, fields.length - 2));
    };
    return (
      <div>
        <Button variant="light" color="red" onClick={removeField}>
          {texts.remove}
        </Button>
      </div>
    );
  }
  const isRetired = field.retiredAt !== null;
  const restore = () => {
    update(index, { ...field, retiredAt: null });
    const place = definition && restoredIndex(definition, form.getValues('fields'), index);
    if (place === null || place === index) return;
    move(index, place);
    onFollow(place);
  };
  return (
    <div>
      <div className={shared.buttons}>
        <Button
          variant={isRetired ? 'default' : 'light'}
          color={isRetired ? 'gray' : 'red'}
          onClick={
            isRetired
              ? restore
              : () => update(index, { ...field, retiredAt: new Date().toISOString() })
          }
        >
          {isRetired ? texts.restore : texts.retire}
        </Button>
        {definition && isSavedAsRetired(definition, field) && (
          <PurgeOfField definition={definition} field={field} />
        )}
      </div>
      <p className={`${shared.note} ${classes.below}`}>{texts.retireHint}</p>
    </div>
  );
}

/** Whether the saved field is retired: only then can its values be deleted permanently. */
function isSavedAsRetired(
  { fields, keywordFields }: CollectionDefinition,
  { savedName, isKeywordField }: DesignedField,
): boolean {
  const saved = (isKeywordField ? keywordFields : fields).find(({ name }) => name === savedName);
  return saved !== undefined && saved.retiredAt !== null;
}

interface PurgeOfFieldProps {
  readonly definition: CollectionDefinition;
  readonly field: DesignedField;
}

function PurgeOfField({ definition, field: { savedName, isKeywordField } }: PurgeOfFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (savedName === null) return null;
  return (
    <>
      <Button variant="light" color="red" onClick={() => setIsOpen(true)}>
        {texts.purgeAction}
      </Button>
      <PurgeDialog
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        onDone={() => setIsOpen(false)}
        definition={definition}
        field={isKeywordField ? keywordFieldName(savedName) : savedName}
      />
    </>
  );
}
