import * as texts from '#messages/inputs.ts';
import { type ReactNode, type RefObject, useRef } from 'react';
import combobox from '#web/ui/combobox/combobox.module.css';
import { OptionList } from '#web/ui/combobox/option-list.tsx';
import { useCombobox } from '#web/ui/combobox/use-combobox.ts';
import { Dropdown } from '#web/ui/dropdown.tsx';
import { type Suggest, useSuggestions } from './use-suggestions.ts';

interface SuggestionListOptions {
  /** values in use; undefined: none are offered */
  readonly suggest: Suggest | undefined;
  /** whether the editor accepts a value */
  readonly fits?: (value: string) => boolean;
  /** whether ↓ requests values if none are offered yet */
  readonly opens: boolean;
  readonly onChoose: (value: string) => void;
}

/** A list of values below an editor in which any text can be typed. */
export function useSuggestionList({ suggest, fits, opens, onChoose }: SuggestionListOptions) {
  const { offered, requested, ask } = useSuggestions(suggest);
  const anchor: RefObject<HTMLDivElement | null> = useRef(null);
  const values = fits ? offered.filter(fits) : offered;
  const list = useCombobox({
    options: values,
    keyOf,
    isOpen: requested !== null,
    isFreeText: true,
    onChoose: (value) => {
      onChoose(value);
      ask(null);
    },
    onOpen: suggest && opens ? () => ask('') : undefined,
    onClose: () => ask(null),
  });
  const dropdown: ReactNode = list.isOpen && (
    <Dropdown anchor={anchor}>
      <OptionList combobox={list} options={values} keyOf={keyOf} label={texts.suggestions}>
        {(value) => value}
      </OptionList>
      <p className={combobox.foot}>{texts.chooseByKeys}</p>
    </Dropdown>
  );
  return { list, ask: suggest ? ask : () => undefined, anchor, dropdown };
}

const keyOf = (value: string) => value;
