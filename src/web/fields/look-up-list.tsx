import * as texts from '#messages/inputs.ts';
import combobox from '#web/ui/combobox/combobox.module.css';
import { OptionList } from '#web/ui/combobox/option-list.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './look-up.module.css';
import { keyOfOption, type LookUp } from './use-look-up.ts';

/** The list of datasets. */
export function LookUpList({ lookUp: { found, list } }: { readonly lookUp: LookUp }) {
  const { options, total } = found;
  return (
    <>
      <OptionList combobox={list} options={options} keyOf={keyOfOption} label={texts.records}>
        {(option) => (
          <div className={classes.option}>
            <span className={classes.value}>{option.value}</span>
            <span className={shared.truncated}>{option.filledValues.join(' · ')}</span>
            <span className={`${shared.truncated} ${classes.more}`}>{option.more.join(' · ')}</span>
          </div>
        )}
      </OptionList>
      <p className={combobox.foot}>
        {total !== null && total > options.length
          ? texts.shownOf({ shown: options.length, total })
          : texts.enterChooses}
      </p>
    </>
  );
}
