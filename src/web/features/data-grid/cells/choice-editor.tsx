import { isBoolean, isText } from '#shared/values/registry.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { pause } from '#web/api/create-store.ts';
import { filterChoices } from '#web/fields/field-choices.ts';
import { localText } from '#web/fields/value-text.ts';
import { OptionList } from '#web/ui/combobox/option-list.tsx';
import { useCombobox } from '#web/ui/combobox/use-combobox.ts';
import type { CellEditorProps } from './cell-editor-props.ts';
import { moveOrEndEditByKey } from './end-edit-by-key.ts';
import { useFocusAtEnd } from './use-focus-at-end.ts';
import classes from './cell-editor.module.css';
import { suggestValues } from '../summary/summary.queries.ts';
import { BelowCell } from '#web/grid/below-cell.tsx';
import * as tableTexts from '#messages/tables.ts';

const MAX_SHOWN = 200;
const MAX_SUGGESTIONS = 8;
/** Milliseconds without a key press after which suggestions are requested. */
const DEBOUNCE = 120;

/** A line with a list below it: the options of the column, or suggestions of values in use. */
export function ChoiceEditor(props: CellEditorProps) {
  const { guid, column, editing, onText, onKey, onLeave } = props;
  const line = useFocusAtEnd<HTMLInputElement>();
  const typed = editing.text !== editing.initial;
  const options = optionsOf(column);
  const suggestions = useSuggestedTexts(guid, column, typed && !options ? editing.text : '');
  const shown = options
    ? filterChoices(options, typed ? editing.text : '').slice(0, MAX_SHOWN)
    : suggestions;

  const current = options ? Math.max(0, shown.indexOf(choiceOf(column, editing.text))) : -1;
  const list = useCombobox({
    options: shown,
    keyOf,
    isOpen: true,
    // One of the options is always active; a suggestion only after ↓.
    first: options && typed ? 0 : current,
    isFreeText: !options,
    onChoose: (choice) => onKey({ do: 'step', step: 'enter' }, choice),
  });

  const chosen = (): string => {
    const choice = list.activeOption;
    if (choice === undefined || (options && !typed && list.active === current)) return editing.text;
    // An emptied cell means no value, not the first option.
    return options && editing.text === '' && list.active === 0 ? '' : choice;
  };
  const onKeyDown = (event: KeyboardEvent) =>
    moveOrEndEditByKey(event, editing.mode, { ...list, movesUp: list.active >= 0 }, (action) =>
      onKey(action, action.do === 'cancel' ? editing.text : chosen()),
    );

  return (
    <>
      <input
        {...list.inputProps}
        ref={line}
        className={classes.line}
        aria-label={column.label}
        value={editing.text}
        onChange={(event) => {
          list.reset();
          onText(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => onLeave(options && !typed ? editing.text : chosen())}
      />
      {list.isOpen && (
        <BelowCell anchor={line} className={classes.dropdown}>
          <OptionList combobox={list} options={shown} keyOf={keyOf} label={column.label}>
            {(choice) => choice}
          </OptionList>
        </BelowCell>
      )}
    </>
  );
}

/** Values in use in a column of texts that contain the typed text. */
function useSuggestedTexts(guid: string, column: Column, typed: string): readonly string[] {
  const isAsked = typed !== '' && isText(column);
  const { queryKey, queryFn } = suggestValues(guid, column.name)(typed);
  const { data = [] } = useQuery({
    queryKey,
    queryFn: async (context) => {
      await pause(DEBOUNCE, context.signal);
      return queryFn(context);
    },
    placeholderData: keepPreviousData,
    enabled: isAsked,
  });
  return isAsked ? data.filter((text) => text !== typed).slice(0, MAX_SUGGESTIONS) : [];
}

const keyOf = (choice: string) => choice;

/** The choices of the column in the user's format; null if any text can be typed. */
function optionsOf(column: Column): readonly string[] | null {
  if (column.options) {
    const texts = column.options.map((option) => localText(column, option));
    return [...new Set(texts)].filter((text) => text !== '');
  }
  return isBoolean(column) ? [tableTexts.yes, tableTexts.no] : null;
}

function choiceOf(column: Column, text: string): string {
  if (!isBoolean(column)) return text;
  return text === 'true' ? tableTexts.yes : text === 'false' ? tableTexts.no : text;
}
