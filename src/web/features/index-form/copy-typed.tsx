import { useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/inputs/text-area.tsx';
import { notify } from '#web/ui/notify.ts';
import type { Edits } from './form-values.ts';
import classes from './index-form.module.css';

interface CopyTypedProps {
  readonly archive: ArchiveDetail;
  readonly edits: Edits;
}

/** Copies what was typed as text, where it cannot be saved any more. */
export function CopyTyped({ archive, edits }: CopyTypedProps) {
  // Some browsers give no way to the clipboard; then the text is there to be copied by hand.
  const [byHand, setByHand] = useState(false);
  const text = typedText(archive, edits);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      notify('What you typed is copied.');
    } catch {
      setByHand(true);
    }
  };
  return (
    <div className={classes.copyTyped}>
      {byHand ? (
        <Field label="What you typed">
          {(tied) => <TextArea {...tied} value={text} readOnly ref={(area) => area?.select()} />}
        </Field>
      ) : (
        <Button variant="default" size="compact-xs" onClick={() => void copy()}>
          Copy what you typed
        </Button>
      )}
    </div>
  );
}

/** A line for each changed field. Exported for its tests. */
function typedText(archive: ArchiveDetail, { fields, keywords }: Edits): string {
  const lines: string[] = [];
  for (const { name, label } of archive.indexFieldDefinitions) {
    const text = fields.get(name);
    if (text !== undefined) lines.push(`${label}: ${text ?? ''}`);
  }
  for (const { name, label } of archive.keywordFieldDefinitions) {
    const values = keywords.get(name);
    if (values) lines.push(`${label}: ${values.join('; ')}`);
  }
  return lines.join('\n');
}
