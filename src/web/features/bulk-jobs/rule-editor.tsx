import * as texts from '#messages/bulk-rules.ts';
import { useEffect, useRef } from 'react';
import { useFieldArray, useForm } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { bulkTargetOfArchive } from '#web/api/bulk-target.ts';
import { fieldsOf } from '#web/fields/index-data.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { zodResolver } from '#web/ui/form/form-schema.ts';
import { Select } from '#web/ui/inputs/select.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { usePlan } from './bulk-jobs.mutations.ts';
import shared from '#web/ui/shared.module.css';
import classes from './rule-editor.module.css';
import { editsOf, newRule, type RulesForm, rulesSchemaOf } from './rule-form.ts';
import { RuleRow } from './rule-row.tsx';
import { type ListSelection, selectionBody, selectionSize } from '#web/api/list-selection.ts';

interface RuleEditorProps {
  readonly archive: ArchiveDetail;
  readonly selection: ListSelection;
  readonly onPlanned: (bulkEdit: AnsweredBulkEdit) => void;
  readonly onLeave: () => void;
}

/** The form for the rules of a bulk edit. The service then plans it; nothing is changed yet. */
export function RuleEditor({ archive, selection, onPlanned, onLeave }: RuleEditorProps) {
  const fields = archive.indexFieldDefinitions;
  const writable = fieldsOf(archive).filter(
    ({ definition, isReadOnly }) => definition && !isReadOnly,
  );
  const form = useForm<RulesForm>({
    defaultValues: { rules: [] },
    resolver: zodResolver(rulesSchemaOf(fields)),
  });
  const { control, setFocus } = form;
  const rules = useFieldArray({ control, name: 'rules' });
  const target = bulkTargetOfArchive(archive);
  const planning = usePlan(target.collection);
  const fieldSelect = useRef<HTMLInputElement>(null);
  useEffect(() => fieldSelect.current?.focus(), []);
  const added = rules.fields.length - 1;
  useEffect(() => {
    if (added >= 0) setFocus(`rules.${added}.kind`);
  }, [setFocus, added]);
  const count = selectionSize(selection);
  if (writable.length === 0)
    return <EmptyState title={texts.noField}>{texts.noFieldHint}</EmptyState>;

  return (
    <Form
      form={form}
      mutation={planning}
      toBody={(values) => ({ selection: selectionBody(selection), edits: editsOf(fields, values) })}
      onDone={onPlanned}
      onCancel={onLeave}
      fieldAt={ruleAt}
      errorTitle={texts.notPlanned}
      submit={{ label: texts.preview, keys: 'mod+Enter', disabled: rules.fields.length === 0 }}
      note={
        planning.isPending ? (
          <Spinner size={16} label={texts.planning(count)} />
        ) : (
          texts.revisions(count)
        )
      }
      isPane
    >
      <div className={classes.rules} inert={planning.isPending}>
        {rules.fields.map((rule, index) => {
          const field = fields.find(({ name }) => name === rule.field);
          return (
            field && (
              <RuleRow
                key={rule.id}
                control={control}
                index={index}
                field={field}
                fields={fields}
                onRemove={() => rules.remove(index)}
              />
            )
          );
        })}
        <Field label={rules.fields.length === 0 ? texts.field : texts.nextField}>
          {(controlProps) => (
            <Select
              {...controlProps}
              ref={fieldSelect}
              data-autofocus
              opensOnFocus
              placeholder={texts.chooseField}
              options={writable.map(({ name, label }) => ({ value: name, label }))}
              value={null}
              onChange={(name) => {
                const field = fields.find((known) => known.name === name);
                if (field) rules.append(newRule(field), { shouldFocus: false });
              }}
            />
          )}
        </Field>
        {rules.fields.length === 0 && <p className={shared.muted}>{texts.explanation}</p>}
      </div>
      <UnsavedChangesGuard
        isUnsaved={form.formState.isDirty}
        text={texts.lossWarning}
        allowsSamePage
      />
    </Form>
  );
}

/** The service refers to rules by their position in the request. */
function ruleAt(path: string): `rules.${number}.kind` | undefined {
  const index = /^edits\.(\d+)(?:\.|$)/.exec(path)?.[1];
  return index === undefined ? undefined : `rules.${Number(index)}.kind`;
}
