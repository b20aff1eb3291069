import { type ComponentType, useState } from 'react';
import type { ValueRules } from '#shared/values/value-rules.ts';
import type { ValueTypeDefinition } from '#shared/values/value-type.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { BooleanEditor } from './boolean-editor.tsx';
import { DateEditor } from './date-editor.tsx';
import type { EditorProps, TypeEditorProps } from './editor.ts';
import { editorKindOf } from './field-model.ts';
import { LookUpEditor } from './look-up-editor.tsx';
import type { Fill } from './look-up.ts';
import { MultiLineEditor } from './multi-line-editor.tsx';
import { OptionsEditor } from './options-editor.tsx';
import { TextEditor } from './text-editor.tsx';
import { TypedLineEditor } from './typed-line-editor.tsx';
import type { Suggest } from './use-suggestions.ts';

/** The editors of types that have one for all their fields, by family. */
const EDITORS = {
  number: TypedLineEditor,
  boolean: BooleanEditor,
  date: DateEditor,
  time: TypedLineEditor,
} satisfies Record<Exclude<ValueTypeDefinition['family'], 'text'>, ComponentType<TypeEditorProps>>;

interface ValueEditorProps extends EditorProps {
  readonly rules: Pick<ValueRules, 'type' | 'maxLength' | 'options'> &
    Partial<Pick<ValueRules, 'scale'>> &
    Partial<Pick<IndexFieldDefinition, 'optionsFrom'>>;
  /** values in use, for texts; suggested while the text is a single line */
  readonly suggest?: Suggest | undefined;
  /** for fields with datasets of a table to choose from: a choice fills other fields of the record */
  readonly lookUp?: LookUpTarget;
}

/** The other fields of a record. */
interface LookUpTarget {
  /** fills fields from the chosen dataset */
  readonly onFill: (fills: readonly Fill[]) => void;
  /** the present text of a field */
  readonly textAt: (field: string) => string | null;
  /** for pages on which Enter moves to the next record: it has chosen an option. If it chooses none, the page receives the key */
  readonly onEnter?: () => void;
}

/** The editor for the values of a field. Give it a `key` per record, so that state is not shared between records. */
export function ValueEditor({ rules, suggest, lookUp, ...editor }: ValueEditorProps) {
  const now = editorKindOf(lookUp ? rules : { ...rules, optionsFrom: null }, editor.value);
  const [lines, setLines] = useState(false);
  // A multi-line editor stays one: replacing the element would lose the focus.
  if (!lines && now === 'lines') setLines(true);
  const kind = lines ? 'lines' : now;
  switch (kind) {
    case 'lookUp':
      return rules.optionsFrom && lookUp ? (
        <LookUpEditor {...editor} {...lookUp} field={rules} />
      ) : null;
    case 'options':
      return <OptionsEditor {...editor} options={rules.options ?? []} />;
    case 'lines':
      return <MultiLineEditor {...editor} suggest={suggest} />;
    case 'line':
      return <TextEditor {...editor} suggest={suggest} />;
    default: {
      const Editor = EDITORS[kind];
      return <Editor {...editor} rules={rules} />;
    }
  }
}
