import * as texts from '#messages/bulk-correction.ts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useController, type UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { FieldValue } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import type { ControlProps } from '#web/ui/field.tsx';
import { KeywordsEditor } from '#web/fields/keywords-editor.tsx';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { Field } from '#web/ui/field.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { valuesInUse } from '#web/fields/values-in-use.queries.ts';
import classes from './choose-fields.module.css';
import type { BulkEditValues } from './change-drafts.ts';

interface DraftRowProps {
  readonly archive: ArchiveDetail;
  readonly field: ArchiveField;
  readonly form: UseFormReturn<BulkEditValues>;
  /** its index among the changes of the form */
  readonly at: number;
  /** whether it takes the focus when it is mounted */
  readonly takesFocus: boolean;
  readonly onRemove: () => void;
}

/** One field and its new value, or its removal. */
export function DraftRow({ archive, field, form, at, takesFocus, onRemove }: DraftRowProps) {
  const { label, definition } = field;
  const { control } = form;
  const isField = definition !== null;
  const isCleared = useController({ control, name: `changes.${at}.isCleared` }).field;
  const { field: value, fieldState } = useController({
    control,
    name: `changes.${at}.value`,
  });
  const problem = fieldState.error?.message;
  const row = useRef<HTMLDivElement>(null);
  const focusFirst = useEffectEvent(() => {
    if (takesFocus) row.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  });
  useEffect(() => focusFirst(), []);

  return (
    <div ref={row} className={classes.row} role="group" aria-label={label}>
      <Field
        label={label}
        icon={definition && <ValueTypeIcon type={definition.type} />}
        required={definition?.required}
        description={definition?.description}
        errors={problem === undefined ? [] : [problem]}
      >
        {(controlProps) =>
          isCleared.value ? (
            <p className={classes.cleared} id={controlProps.id}>
              {isField ? texts.valueCleared : texts.keywordsRemoved}
            </p>
          ) : (
            <Editor
              archive={archive}
              field={field}
              control={controlProps}
              value={value.value}
              onChange={value.onChange}
            />
          )
        }
      </Field>
      <div className={classes.rowActions}>
        <Button
          size="compact-xs"
          variant={isCleared.value ? 'light' : 'subtle'}
          color={isCleared.value ? 'accent' : 'gray'}
          aria-pressed={isCleared.value}
          aria-label={isField ? texts.noValueIn(label) : texts.noKeywordsIn(label)}
          onClick={() => {
            isCleared.onChange(!isCleared.value);
            void form.trigger(value.name);
          }}
        >
          {isField ? texts.noValue : texts.noKeywords}
        </Button>
        <IconButton size={24} aria-label={texts.removeField(label)} onClick={onRemove}>
          <CloseIcon size={14} />
        </IconButton>
      </div>
    </div>
  );
}

interface EditorProps {
  readonly archive: ArchiveDetail;
  readonly field: ArchiveField;
  readonly control: ControlProps;
  readonly value: FieldValue;
  readonly onChange: (value: FieldValue) => void;
}

function Editor({ archive, field, control, value, onChange }: EditorProps) {
  if (isList(value)) return <KeywordsEditor control={control} value={value} onChange={onChange} />;
  if (!field.definition) return null;
  return (
    <ValueEditor
      rules={field.definition}
      control={control}
      value={value}
      onChange={onChange}
      suggest={valuesInUse(archive.table, field.name)}
    />
  );
}
