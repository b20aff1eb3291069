import { type ReactNode, useEffect, useRef } from 'react';
import classes from './combobox.module.css';
import type { Combobox } from './use-combobox.ts';

interface OptionListProps<Option> {
  readonly combobox: Combobox<Option>;
  readonly options: readonly Option[];
  readonly keyOf: (option: Option) => string;
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: (option: Option) => ReactNode;
}

/** The options of a combobox. Their keys are heard by the input, which has the focus. */
export function OptionList<Option>(props: OptionListProps<Option>) {
  const { combobox, options, keyOf, label, className = '', children } = props;
  const list = useRef<HTMLDivElement>(null);
  const { active } = combobox;
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      {...combobox.listProps}
      aria-label={label}
      className={`${classes.list} ${className}`}
    >
      {options.map((option, index) => (
        <div key={keyOf(option)} {...combobox.optionProps(index)} className={classes.option}>
          {children(option)}
        </div>
      ))}
    </div>
  );
}
