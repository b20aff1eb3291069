import { useEffect, useRef } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import type { ControlProps } from '#web/ui/field.tsx';
import { KeywordsEditor } from '#web/fields/keywords-editor.tsx';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { Field } from '#web/ui/field.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { suggestValues } from './bulk-edit.queries.ts';
import classes from './choose-fields.module.css';
import { complaintAbout, type Draft } from './drafts.ts';

interface DraftRowProps {
  readonly archive: ArchiveDetail;
  readonly draft: Draft;
  /** whether the cursor goes into it when it appears */
  readonly takesFocus: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onRemove: () => void;
}

/** One field and what it shall hold: a value, or none. */
export function DraftRow({ archive, draft, takesFocus, onChange, onRemove }: DraftRowProps) {
  const complaint = complaintAbout(draft);
  const { label } = draft.field;
  const none = draft.kind === 'field' ? 'No value' : 'No keywords';
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
        icon={draft.kind === 'field' && <ValueTypeIcon type={draft.field.type} />}
        required={draft.kind === 'field' && draft.field.required}
        description={draft.kind === 'field' ? draft.field.description : undefined}
        errors={complaint === null ? [] : [complaint]}
      >
        {(control) =>
          draft.clear ? (
            <p className={classes.cleared} id={control.id}>
              {draft.kind === 'field'
                ? 'The value is cleared.'
                : 'All keywords of this field are removed.'}
            </p>
          ) : (
            <Editor archive={archive} draft={draft} control={control} onChange={onChange} />
          )
        }
      </Field>
      <div className={classes.rowActions}>
        <Button
          size="compact-xs"
          variant={draft.clear ? 'light' : 'subtle'}
          color={draft.clear ? 'accent' : 'gray'}
          aria-pressed={draft.clear}
          aria-label={`${none} in ${label}`}
          onClick={() => onChange({ ...draft, clear: !draft.clear })}
        >
          {none}
        </Button>
        <IconButton size={24} aria-label={`Leave ${label} as it is`} onClick={onRemove}>
          <CloseIcon size={14} />
        </IconButton>
      </div>
    </div>
  );
}

interface EditorProps {
  readonly archive: ArchiveDetail;
  readonly draft: Draft;
  readonly control: ControlProps;
  readonly onChange: (draft: Draft) => void;
}

function Editor({ archive, draft, control, onChange }: EditorProps) {
  if (draft.kind === 'keywords') {
    return (
      <KeywordsEditor
        control={control}
        placeholder="Type a keyword, then Enter"
        value={draft.keywords}
        onChange={(keywords) => onChange({ ...draft, keywords })}
      />
    );
  }
  const { field } = draft;
  return (
    <ValueEditor
      rules={field}
      control={control}
      value={draft.typed}
      onChange={(typed) => onChange({ ...draft, typed })}
      suggest={(typed, signal) => suggestValues(archive, field.name, typed, signal)}
    />
  );
}
