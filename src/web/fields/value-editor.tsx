import { useState } from 'react';
import type { ValueRules } from '#shared/values/values.ts';
import { BooleanEditor } from './boolean-editor.tsx';
import { DateEditor } from './date-editor.tsx';
import type { EditorProps } from './editor.ts';
import { hasLineBreak } from './line-breaks.ts';
import { MultiLineEditor } from './multi-line-editor.tsx';
import { NumberEditor } from './number-editor.tsx';
import { isOneLine } from './one-line.ts';
import { OptionsEditor } from './options-editor.tsx';
import { SuggestionsEditor } from './suggestions-editor.tsx';
import { TextEditor } from './text-editor.tsx';
import type { Suggest } from './use-suggestions.ts';

interface ValueEditorProps extends EditorProps {
  readonly rules: Pick<ValueRules, 'type' | 'maxLength' | 'options'> &
    Partial<Pick<ValueRules, 'scale'>>;
  /** values in use, for texts; offered as long as the text is one line */
  readonly suggest?: Suggest | undefined;
}

/** The editor for the values of a field. Give it a `key` per revision or dataset, so that it starts anew with each. */
export function ValueEditor({ rules, suggest, ...editor }: ValueEditorProps) {
  const [lines, setLines] = useState(false);
  // Once several lines, always: an editor that changes its element under the cursor loses the focus.
  if (!lines && hasLineBreak(editor.value)) setLines(true);

  if (rules.options && rules.type !== 'boolean') {
    return <OptionsEditor {...editor} options={rules.options} />;
  }
  switch (rules.type) {
    case 'text':
      if (lines || !isOneLine(rules)) {
        return <MultiLineEditor {...editor} suggest={suggest} />;
      }
      return suggest ? (
        <SuggestionsEditor {...editor} suggest={suggest} />
      ) : (
        <TextEditor {...editor} />
      );
    case 'integer':
    case 'decimal':
      return <NumberEditor {...editor} rules={rules} />;
    case 'boolean':
      return <BooleanEditor {...editor} />;
    case 'date':
    case 'datetime':
      return <DateEditor {...editor} type={rules.type} />;
    default:
      return rules.type satisfies never;
  }
}
