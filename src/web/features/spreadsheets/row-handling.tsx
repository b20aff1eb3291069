import * as texts from '#messages/imports.ts';
import { type Control, Controller } from 'react-hook-form';
import { Field } from '#web/ui/field.tsx';
import { SegmentedControl } from '#web/ui/inputs/segmented-control.tsx';
import { optionsOf, Select, type SelectOption } from '#web/ui/inputs/select.tsx';
import { useMedia } from '#web/ui/use-media.ts';
import type { ImportValues } from './import-values.ts';
import classes from './import-dialog.module.css';

interface RowHandlingProps {
  readonly control: Control<ImportValues>;
  readonly keys: readonly SelectOption<string>[];
  readonly keyNow: string | null;
}

/** The allowed effects of the file's rows on a table, and the column that identifies records. */
export function RowHandling({ control, keys, keyNow }: RowHandlingProps) {
  const isNarrow = useMedia('(width < 600px)');
  return (
    <div className={classes.how}>
      <Controller
        control={control}
        name="mode"
        render={({ field: { value, onChange } }) => (
          <SegmentedControl
            aria-label={texts.mode}
            isVertical={isNarrow}
            options={MODES}
            value={value}
            onChange={onChange}
          />
        )}
      />
      {keys.length > 0 && (
        <Controller
          control={control}
          name="key"
          render={({ field: { onChange, ref } }) => (
            <Field label={texts.matchBy}>
              {(controlProps) => (
                <Select
                  {...controlProps}
                  ref={ref}
                  options={keys}
                  value={keyNow}
                  onChange={onChange}
                />
              )}
            </Field>
          )}
        />
      )}
    </div>
  );
}

const MODES = optionsOf(['both', 'create', 'change'], texts.modes);
