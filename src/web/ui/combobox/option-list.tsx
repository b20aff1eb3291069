import { Fragment, type ReactNode, useEffect } from 'react';
import classes from './combobox.module.css';
import type { Combobox } from './use-combobox.ts';

interface OptionListProps<Option> {
  readonly combobox: Combobox<Option>;
  readonly options: readonly Option[];
  readonly keyOf: (option: Option) => string;
  readonly label: string;
  readonly className?: string | undefined;
  /** the heading of an option and of the following ones in the same group */
  readonly groupOf?: (option: Option) => string | undefined;
  readonly children: (option: Option) => ReactNode;
}

/** The options of a combobox. The input has the focus and handles their keys. */
export function OptionList<Option>(props: OptionListProps<Option>) {
  const { combobox, options, keyOf, label, className = '', groupOf, children } = props;
  const activeId = combobox.inputProps['aria-activedescendant'];
  useEffect(() => {
    if (activeId !== undefined) {
      document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
    }
  }, [activeId]);
  return (
    <div {...combobox.listProps} aria-label={label} className={`${classes.list} ${className}`}>
      {options.map((option, index) => {
        const group = groupOf?.(option);
        const before = options[index - 1];
        const begins = group !== undefined && (!before || groupOf?.(before) !== group);
        return (
          <Fragment key={keyOf(option)}>
            {begins && (
              <div role="presentation" className={classes.group}>
                {group}
              </div>
            )}
            <div {...combobox.optionProps(index)} className={classes.option}>
              {children(option)}
            </div>
          </Fragment>
        );
      })}
    </div>
  );
}
