import { isNumber, isText } from '#shared/values/registry.ts';
import {
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { placeholderOf, inputModeOf } from '#web/fields/editor.ts';
import { useDayPicker } from '#web/fields/day-picker.tsx';
import { editorKindOf } from '#web/fields/field-model.ts';
import { applyEdit } from '#web/fields/line-breaks.ts';
import { parseTyped, typedTextHint } from '#web/fields/typed-text.ts';
import type { CellEditorProps } from './cell-editor-props.ts';
import { ChoiceEditor } from './choice-editor.tsx';
import classes from './cell-editor.module.css';
import { LookUpCellEditor } from './look-up-cell-editor.tsx';
import { endEditByKey } from './end-edit-by-key.ts';
import { useFocusAtEnd } from './use-focus-at-end.ts';
import { BelowCell } from '#web/grid/below-cell.tsx';

/** The editor in a cell, by the type of its column. */
export function CellEditor(props: CellEditorProps) {
  const { column, editing } = props;
  // Decided once, because replacing the element would lose the focus.
  const [kind] = useState(() => editorKindOf(column, editing.initial));
  switch (kind) {
    case 'lookUp':
      return <LookUpCellEditor {...props} />;
    case 'options':
    case 'boolean':
      return <ChoiceEditor {...props} />;
    case 'line':
      // Values of a unique column are not in use elsewhere.
      return column.unique ? <LineEditor {...props} /> : <ChoiceEditor {...props} />;
    case 'lines':
      return <LinesEditor {...props} />;
    case 'date':
      return <DateCellEditor {...props} />;
    case 'number':
    case 'time':
      return <LineEditor {...props} />;
    default:
      return kind satisfies never;
  }
}

interface LineEditorProps extends CellEditorProps {
  /** receives the input, to which other elements return the focus */
  readonly field?: RefObject<HTMLInputElement | null>;
  /** handles a key of the editor itself; true: handled */
  readonly onOwnKey?: (event: KeyboardEvent) => boolean;
}

function LineEditor(props: LineEditorProps) {
  const { column, editing, onText, onKey, onLeave, field, onOwnKey } = props;
  const line = useFocusAtEnd(field);
  const hintId = useId();
  const hint = editing.text === '' ? null : typedTextHint(column, editing.text);
  return (
    <>
      <input
        ref={line}
        className={classes.line}
        data-number={isNumber(column) || undefined}
        aria-label={column.label}
        aria-describedby={hint === null ? undefined : hintId}
        autoComplete="off"
        spellCheck={isText(column)}
        inputMode={inputModeOf(column)}
        placeholder={placeholderOf(column)}
        value={editing.text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!onOwnKey?.(event)) {
            endEditByKey(event, editing.mode, (action) => onKey(action, editing.text));
          }
        }}
        onBlur={() => onLeave(editing.text)}
      />
      {hint !== null && (
        <BelowCell anchor={line} className={classes.hint} id={hintId}>
          {hint}
        </BelowCell>
      )}
    </>
  );
}

/** A date, or a date and time, typed or chosen in the calendar, which has the same key as in the form. */
function DateCellEditor(props: CellEditorProps) {
  const { column, editing, onText } = props;
  const field = useRef<HTMLInputElement>(null);
  const { parsed } = parseTyped(column, editing.text, null);
  const { onKeyDown, picker } = useDayPicker({
    rules: column,
    text: editing.text,
    value: parsed.ok && typeof parsed.value === 'string' ? parsed.value : null,
    onChoose: (text) => {
      const chosen = parseTyped(column, text, null);
      // In the user's format, if it is a complete value.
      onText(chosen.parsed.ok ? (chosen.text ?? '') : text);
    },
    field,
  });
  return (
    <div className={classes.day}>
      <LineEditor {...props} field={field} onOwnKey={onKeyDown} />
      {picker}
    </div>
  );
}

/** Height in pixels of a long text while it is edited. */
const ROOM = 180;

/** Grows with its text into a small overlay; Alt+Enter inserts a line break. */
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
        } else endEditByKey(event, editing.mode, (action) => onKey(action, editing.text));
      }}
      onBlur={() => onLeave(editing.text)}
    />
  );
}
