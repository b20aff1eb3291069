import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Column } from '#shared/definitions.ts';
import { formOf } from '#web/ui/fields/date-editor.tsx';
import type { EditorElement } from '#web/ui/fields/editor.ts';
import { applyEdit } from '#web/ui/fields/line-breaks.ts';
import { ChoiceEditor } from './choice-editor.tsx';
import { hintFor } from './cell-text.ts';
import { takesLines } from './columns.ts';
import classes from './cell-editor.module.css';
import type { Fill } from '#web/ui/fields/look-up.ts';
import { LookUpCellEditor } from './look-up-cell-editor.tsx';
import type { Editing } from './grid-state.ts';
import { editorKey, type KeyAction } from './keys.ts';
import { BelowCell } from './view/below-cell.tsx';

export interface CellEditorProps {
  readonly guid: string;
  readonly column: Column;
  readonly editing: Editing;
  /** what stands in another cell of the row, in the form of the interface */
  readonly textAt: (column: string) => string | null;
  readonly onText: (text: string) => void;
  /** ends the editing by a key; `text` is what stands in the editor then, `fills` what goes into other cells of the row */
  readonly onKey: (action: KeyAction, text: string, fills?: readonly Fill[]) => void;
  /** the keyboard went elsewhere */
  readonly onLeave: (text: string) => void;
}

/** The editor in a cell, by the type of its column. */
export function CellEditor(props: CellEditorProps) {
  const { column, editing } = props;
  // Once several lines, always: an editor that changes its element under the cursor loses the focus.
  const [lines] = useState(() => takesLines(column, editing.initial));
  if (column.optionsFrom) return <LookUpCellEditor {...props} from={column.optionsFrom} />;
  const suggests = column.type === 'text' && !column.unique && !lines;
  if (column.options ?? (column.type === 'boolean' || suggests)) return <ChoiceEditor {...props} />;
  return lines ? <LinesEditor {...props} /> : <LineEditor {...props} />;
}

function LineEditor({ column, editing, onText, onKey, onLeave }: CellEditorProps) {
  const { type } = column;
  const line = useFocusAtEnd<HTMLInputElement>();
  const hintId = useId();
  const hint = editing.text === '' ? null : hintFor(column, editing.text);
  return (
    <>
      <input
        ref={line}
        className={classes.line}
        data-number={type === 'integer' || type === 'decimal' || undefined}
        aria-label={column.label}
        aria-describedby={hint === null ? undefined : hintId}
        autoComplete="off"
        spellCheck={type === 'text'}
        inputMode={type === 'integer' ? 'numeric' : type === 'decimal' ? 'decimal' : undefined}
        placeholder={type === 'date' || type === 'datetime' ? formOf(type) : undefined}
        value={editing.text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => endByKey(event, editing, onKey)}
        onBlur={() => onLeave(editing.text)}
      />
      {hint !== null && (
        <BelowCell of={line} gap={3} className={classes.hint} id={hintId}>
          {hint}
        </BelowCell>
      )}
    </>
  );
}

/** Pixels of a large text that is to be seen while it is edited. */
const ROOM = 180;

/** Grows with its text into a small overlay; Alt+Enter makes a new line. */
function LinesEditor({ column, editing, onText, onKey, onLeave }: CellEditorProps) {
  const box = useFocusAtEnd<HTMLTextAreaElement>();
  const [upwards, setUpwards] = useState(false);
  useLayoutEffect(() => {
    const scroller = box.current?.closest('[role=grid]')?.getBoundingClientRect();
    const own = box.current?.getBoundingClientRect();
    if (scroller && own) {
      setUpwards(own.top + ROOM > scroller.bottom && own.top - ROOM > scroller.top);
    }
  }, [box]);
  const newLine = (area: HTMLTextAreaElement) => {
    area.setRangeText('\n', area.selectionStart, area.selectionEnd, 'end');
    onText(applyEdit(editing.text, area.value));
  };
  return (
    <textarea
      ref={box}
      className={classes.lines}
      data-upwards={upwards || undefined}
      aria-label={column.label}
      autoComplete="off"
      rows={1}
      value={editing.text}
      onChange={(event) => onText(applyEdit(editing.text, event.currentTarget.value))}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.altKey) {
          event.preventDefault();
          event.stopPropagation();
          newLine(event.currentTarget);
        } else endByKey(event, editing, onKey);
      }}
      onBlur={() => onLeave(editing.text)}
    />
  );
}

function endByKey(event: KeyboardEvent, editing: Editing, onKey: CellEditorProps['onKey']): void {
  // What is typed belongs to the editor, not to the grid around it.
  event.stopPropagation();
  if (event.nativeEvent.isComposing) return;
  const action = editorKey(event, editing.mode);
  if (!action) return;
  event.preventDefault();
  onKey(action, editing.text);
}

/** Takes the keyboard when the editor opens, the caret behind the last character. */
export function useFocusAtEnd<Editor extends EditorElement>() {
  const editor = useRef<Editor>(null);
  useLayoutEffect(() => {
    editor.current?.focus({ preventScroll: true });
    const end = editor.current?.value.length ?? 0;
    editor.current?.setSelectionRange(end, end);
  }, []);
  return editor;
}
