import { isBoolean } from '#shared/values/registry.ts';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { choicesFor } from '#web/fields/choices.ts';
import { localText } from '#web/fields/value-text.ts';
import type { CellEditorProps } from './cell-editor.tsx';
import { useFocusAtEnd } from './cell-editor.tsx';
import classes from './cell-editor.module.css';
import { suggestionsQuery } from '../rows/datasets.queries.ts';
import { editorKey } from '../dataset-keys.ts';
import { BelowCell } from '#web/grid/below-cell.tsx';

const MOST_SHOWN = 200;

/** One line with a list below it: the options of the column, or values in use that may be taken over. */
export function ChoiceEditor(props: CellEditorProps) {
  const { guid, column, editing, onText, onKey, onLeave } = props;
  const id = useId();
  const line = useFocusAtEnd<HTMLInputElement>();
  const typed = editing.text !== editing.initial;
  const options = optionsOf(column);
  const suggestions = useQuery({
    ...suggestionsQuery(guid, column, typed ? editing.text : ''),
    ...(options ? { enabled: false } : {}),
  });
  const shown = options
    ? choicesFor(options, typed ? editing.text : '')
    : typed && editing.text !== ''
      ? (suggestions.data ?? []).filter((text) => text !== editing.text)
      : [];

  // Options are chosen from, so one of them is always ready; suggestions only once the list is entered.
  const current = options ? Math.max(0, shown.indexOf(choiceOf(column, editing.text))) : -1;
  const [active, setActive] = useState(current);
  const [forText, setForText] = useState(editing.text);
  if (forText !== editing.text) {
    setForText(editing.text);
    setActive(options ? 0 : -1);
  }
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const chosen = (): string => {
    const choice = shown[active];
    if (choice === undefined || (options && !typed && active === current)) return editing.text;
    // An emptied cell means no value, not the first option.
    return options && editing.text === '' && active === 0 ? '' : choice;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && shown.length > 0 && (options || by > 0 || active >= 0)) {
      event.preventDefault();
      setActive(Math.max(options ? 0 : -1, Math.min(active + by, shown.length - 1)));
      return;
    }
    const action = editorKey(event, editing.mode);
    if (!action) return;
    event.preventDefault();
    onKey(action, action.do === 'cancel' ? editing.text : chosen());
  };

  return (
    <>
      <input
        ref={line}
        className={classes.line}
        role="combobox"
        aria-label={column.label}
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={
          active >= 0 && shown[active] !== undefined ? `${id}-${active}` : undefined
        }
        autoComplete="off"
        value={editing.text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => onLeave(options && !typed ? editing.text : chosen())}
      />
      {shown.length > 0 && (
        <BelowCell of={line} gap={1} className={classes.dropdown}>
          <div
            ref={list}
            id={`${id}-list`}
            role="listbox"
            aria-label={column.label}
            className={classes.list}
          >
            {shown.slice(0, MOST_SHOWN).map((choice, i) => (
              // The keyboard stays in the editor (ARIA's combobox pattern).
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={choice}
                id={`${id}-${i}`}
                role="option"
                aria-selected={i === active}
                className={classes.option}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onKey({ do: 'step', step: 'enter' }, choice)}
              >
                {choice}
              </div>
            ))}
          </div>
        </BelowCell>
      )}
    </>
  );
}

/** What can be chosen in the column, as the reader writes it; null where anything can be typed. */
function optionsOf(column: Column): readonly string[] | null {
  if (column.options) {
    const texts = column.options.map((option) => localText(column, option));
    return [...new Set(texts)].filter((text) => text !== '');
  }
  return isBoolean(column) ? ['Yes', 'No'] : null;
}

function choiceOf(column: Column, text: string): string {
  if (!isBoolean(column)) return text;
  return text === 'true' ? 'Yes' : text === 'false' ? 'No' : text;
}
