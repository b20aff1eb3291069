import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react';

interface ComboboxOptions<Option> {
  /** the present options */
  readonly options: readonly Option[];
  readonly keyOf: (option: Option) => string;
  /** whether the options are shown; without options there is no list */
  readonly isOpen: boolean;
  /** the initially active option; -1: none, so that Enter chooses nothing */
  readonly first?: number;
  /** whether any text can be entered: the arrow keys then pass the text itself between the last option and the first */
  readonly isFreeText?: boolean;
  readonly onChoose: (option: Option) => void;
  /** ↓ or ↑ was pressed while the list was closed */
  readonly onOpen?: (() => void) | undefined;
  readonly onClose?: (() => void) | undefined;
}

/**
 * The keyboard and the ARIA attributes of an input with a list of options (the combobox pattern of the ARIA Authoring
 * Practices). The input always has the focus: ↓ and ↑ move the active option, Enter chooses it, Escape closes the list.
 * The caller decides what is offered, and when.
 */
export function useCombobox<Option>(props: ComboboxOptions<Option>) {
  const { options, keyOf, first = -1, isFreeText = false, onChoose, onOpen, onClose } = props;
  const id = useId();
  // By key: the options may have changed by the time Enter is pressed.
  const [picked, setPicked] = useState<string | null>(null);
  const isOpen = props.isOpen && options.length > 0;
  const at = picked === null ? -1 : options.findIndex((option) => keyOf(option) === picked);
  const active = !isOpen ? -1 : at >= 0 ? at : Math.min(first, options.length - 1);
  const activeOption = options[active];

  const activate = (index: number) => {
    const option = options[index];
    setPicked(option === undefined ? null : keyOf(option));
  };
  const step = (by: 1 | -1) => {
    const stops = options.length + (isFreeText ? 1 : 0);
    const from = isFreeText ? active + 1 : active < 0 && by < 0 ? 0 : active;
    const to = (from + by + stops) % stops;
    activate(isFreeText ? to - 1 : to);
  };
  const choose = (option: Option) => {
    setPicked(null);
    onChoose(option);
  };
  const close = () => {
    setPicked(null);
    onClose?.();
  };

  /** @returns whether the list has handled the key */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, nativeEvent } = event;
    if (nativeEvent.isComposing || ctrlKey || metaKey || altKey || shiftKey) return false;
    if (isOpen && (key === 'ArrowDown' || key === 'ArrowUp')) step(key === 'ArrowDown' ? 1 : -1);
    else if (onOpen && (key === 'ArrowDown' || key === 'ArrowUp')) onOpen();
    else if (key === 'Enter' && activeOption !== undefined) choose(activeOption);
    else if (key === 'Escape' && isOpen) close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  const aria = {
    'aria-autocomplete': 'list',
    'aria-controls': isOpen ? id : undefined,
    'aria-activedescendant': active < 0 ? undefined : `${id}-${active}`,
    autoComplete: 'off',
    // A dialog of the component library stays open on the Escape that closes the list.
    'data-mantine-stop-propagation': isOpen || undefined,
  } as const;
  return {
    isOpen,
    active,
    activeOption,
    /** whether the user has moved to the active option by key */
    isPicked: at >= 0,
    step,
    activate,
    choose,
    close,
    /** resets the active option, after the text has changed */
    reset: () => setPicked(null),
    onKeyDown,
    inputProps: { ...aria, role: 'combobox', 'aria-expanded': isOpen } as const,
    /** for a multi-line text field, which is no combobox for ARIA */
    textareaProps: aria,
    listProps: { id, role: 'listbox' } as const,
    optionProps: (index: number) =>
      ({
        id: `${id}-${index}`,
        role: 'option',
        'aria-selected': index === active,
        // The focus stays in the input.
        onMouseDown: (event: MouseEvent) => event.preventDefault(),
        onClick: () => {
          const option = options[index];
          if (option !== undefined) choose(option);
        },
      }) as const,
  };
}

export type Combobox<Option> = ReturnType<typeof useCombobox<Option>>;
