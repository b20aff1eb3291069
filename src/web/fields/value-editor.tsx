import { type ComponentType, useState } from 'react';
import { isBoolean, valueType } from '#shared/values/registry.ts';
import type { ValueTypeDefinition } from '#shared/values/value-type.ts';
import type { ValueRules } from '#shared/values/values.ts';
import { BooleanEditor } from './boolean-editor.tsx';
import { DateEditor } from './date-editor.tsx';
import type { EditorProps, TypeEditorProps } from './editor.ts';
import { hasLineBreak } from './line-breaks.ts';
import { MultiLineEditor } from './multi-line-editor.tsx';
import { NumberEditor } from './number-editor.tsx';
import { isOneLine } from './one-line.ts';
import { OptionsEditor } from './options-editor.tsx';
import { SuggestionsEditor } from './suggestions-editor.tsx';
import { TextEditor } from './text-editor.tsx';
import { TimeEditor } from './time-editor.tsx';
import type { Suggest } from './use-suggestions.ts';

/** The editors of types that have one for all their fields, by the kind that the registry of types names. */
const EDITORS = {
  number: NumberEditor,
  boolean: BooleanEditor,
  date: DateEditor,
  time: TimeEditor,
} satisfies Record<Exclude<ValueTypeDefinition['editor'], 'text'>, ComponentType<TypeEditorProps>>;

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

  const { editor: kind } = valueType(rules.type);
  if (rules.options && !isBoolean(rules)) {
    return <OptionsEditor {...editor} options={rules.options} />;
  }
  if (kind === 'text') {
    if (lines || !isOneLine(rules)) return <MultiLineEditor {...editor} suggest={suggest} />;
    return suggest ? (
      <SuggestionsEditor {...editor} suggest={suggest} />
    ) : (
      <TextEditor {...editor} />
    );
  }
  const Editor = EDITORS[kind];
  return <Editor {...editor} rules={rules} />;
}
