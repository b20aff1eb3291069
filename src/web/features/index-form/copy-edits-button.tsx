import * as texts from '#messages/index-form.ts';
import { useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { isList } from '#web/fields/value-checks.ts';
import { fieldsOf } from '#web/fields/index-data.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/inputs/text-area.tsx';
import { notify } from '#web/ui/notify.ts';
import type { FormEdits } from './form-values.ts';
import classes from './index-form.module.css';

interface CopyEditsButtonProps {
  readonly archive: ArchiveDetail;
  readonly edits: () => FormEdits;
}

/** Copies the edits as text when they can no longer be saved. */
export function CopyEditsButton({ archive, edits }: CopyEditsButtonProps) {
  // Without clipboard access in the browser the text is shown, to be copied manually.
  const [fallbackText, setFallbackText] = useState<string | null>(null);
  const copy = async () => {
    const text = editsAsText(archive, edits());
    try {
      await navigator.clipboard.writeText(text);
      notify(texts.typedCopied);
    } catch {
      setFallbackText(text);
    }
  };
  return (
    <div className={classes.copyTyped}>
      {fallbackText !== null ? (
        <Field label={texts.typed}>
          {(tied) => (
            <TextArea {...tied} value={fallbackText} readOnly ref={(area) => area?.select()} />
          )}
        </Field>
      ) : (
        <Button variant="default" size="compact-xs" onClick={() => void copy()}>
          {texts.copyTyped}
        </Button>
      )}
    </div>
  );
}

/** A line for each changed field. */
function editsAsText(archive: ArchiveDetail, edits: FormEdits): string {
  const lines = fieldsOf(archive).flatMap(({ path, label }) => {
    const value = edits.get(path);
    if (value === undefined) return [];
    return [texts.typedLine({ label, value: isList(value) ? value.join('; ') : (value ?? '') })];
  });
  return lines.join('\n');
}
