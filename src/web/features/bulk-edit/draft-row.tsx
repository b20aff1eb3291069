import * as texts from '#messages/bulk-correction.ts';
import { useEffect, useRef } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { FieldValue } from '#web/fields/field-model.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import type { ControlProps } from '#web/ui/field.tsx';
import { KeywordsEditor } from '#web/fields/keywords-editor.tsx';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { Field } from '#web/ui/field.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { valuesInUse } from '#web/fields/values-in-use.queries.ts';
import classes from './choose-fields.module.css';
import { draftProblem, type ChangeDraft } from './change-drafts.ts';

interface DraftRowProps {
  readonly archive: ArchiveDetail;
  readonly draft: ChangeDraft;
  /** whether it takes the focus when it is mounted */
  readonly takesFocus: boolean;
  readonly onChange: (draft: ChangeDraft) => void;
  readonly onRemove: () => void;
}

/** One field and its new value, or its removal. */
export function DraftRow({ archive, draft, takesFocus, onChange, onRemove }: DraftRowProps) {
  const { label, definition } = draft.field;
  const isField = definition !== null;
  const problem = draftProblem(draft);
  const row = useRef<HTMLDivElement>(null);
  const focus = useRef(takesFocus);
  useEffect(() => {
    if (!focus.current) return;
    focus.current = false;
    row.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, []);

  return (
    <div ref={row} className={classes.row} role="group" aria-label={label}>
      <Field
        label={label}
        icon={definition && <ValueTypeIcon type={definition.type} />}
        required={definition?.required}
        description={definition?.description}
        errors={problem === null ? [] : [problem]}
      >
        {(control) =>
          draft.isCleared ? (
            <p className={classes.cleared} id={control.id}>
              {isField ? texts.valueCleared : texts.keywordsRemoved}
            </p>
          ) : (
            <Editor archive={archive} draft={draft} control={control} onChange={onChange} />
          )
        }
      </Field>
      <div className={classes.rowActions}>
        <Button
          size="compact-xs"
          variant={draft.isCleared ? 'light' : 'subtle'}
          color={draft.isCleared ? 'accent' : 'gray'}
          aria-pressed={draft.isCleared}
          aria-label={isField ? texts.noValueIn(label) : texts.noKeywordsIn(label)}
          onClick={() => onChange({ ...draft, isCleared: !draft.isCleared })}
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
  readonly draft: ChangeDraft;
  readonly control: ControlProps;
  readonly onChange: (draft: ChangeDraft) => void;
}

function Editor({ archive, draft, control, onChange }: EditorProps) {
  const { field, value } = draft;
  const change = (next: FieldValue) => onChange({ ...draft, value: next });
  if (isList(value)) return <KeywordsEditor control={control} value={value} onChange={change} />;
  if (!field.definition) return null;
  return (
    <ValueEditor
      rules={field.definition}
      control={control}
      value={value}
      onChange={change}
      suggest={valuesInUse(archive.table, field.name)}
    />
  );
}
