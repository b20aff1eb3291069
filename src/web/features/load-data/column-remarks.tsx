import * as texts from '#messages/load-data.ts';
import type { AnalysedColumn, ColumnOverrides } from '#shared/contract/file-analysis.ts';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { optionsOf } from '#web/ui/inputs/select.tsx';
import classes from './load-data.module.css';

const ORDERS = optionsOf(['dmy', 'mdy', 'ymd'], texts.orders);
const MARKS = optionsOf([',', '.'], texts.marks);

interface ColumnRemarksProps {
  readonly column: AnalysedColumn & { readonly foundOptions: readonly string[] | null };
  readonly onChange: (change: ColumnOverrides) => void;
}

/** Remarks about a column: values that do not fit, ambiguous values, few distinct values. */
export function ColumnRemarks({ column, onChange }: ColumnRemarksProps) {
  const { misfits, question, options, foundOptions, decimal, order } = column;
  return (
    <div className={classes.remarks}>
      {misfits && <p className={classes.problem}>{texts.misfits(misfits)}</p>}
      {foundOptions && (
        <Checkbox
          checked={options !== null}
          label={texts.onlyOptions(foundOptions)}
          onChange={(event) =>
            onChange({ options: event.currentTarget.checked ? undefined : null })
          }
        />
      )}
      {question && question.about === 'order' && (
        <NativeSelect
          aria-label={texts.readAs({
            example: question.example,
            meaning: texts.orders[order ?? 'dmy'],
          })}
          options={ORDERS}
          value={order ?? 'dmy'}
          onChange={(next) => onChange({ order: next })}
        />
      )}
      {question && question.about === 'decimal' && (
        <NativeSelect
          aria-label={texts.readAs({
            example: question.example,
            meaning: texts.marks[decimal ?? ','],
          })}
          options={MARKS}
          value={decimal ?? ','}
          onChange={(next) => onChange({ decimal: next })}
        />
      )}
    </div>
  );
}
