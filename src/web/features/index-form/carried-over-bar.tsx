import * as texts from '#messages/index-form.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { IconButton } from '#web/ui/button.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { fieldValueText, isBlank } from '#web/fields/field-model.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import type { CarriedOverValues } from './carried-over-values.ts';
import { labelOf } from './form-values.ts';
import shared from '#web/ui/shared.module.css';
import classes from './input-assist.module.css';

interface CarriedOverBarProps {
  readonly archive: ArchiveDetail;
  readonly carriedOver: CarriedOverValues;
  /** stops carrying over the value of a path */
  readonly onStop: (path: string) => void;
}

/** Lists the carried over values; each has a button that stops it. */
export function CarriedOverBar({ archive, carriedOver, onStop }: CarriedOverBarProps) {
  // The line moves the fields down; the focused one stays visible.
  useOnChange(carriedOver.size, () => document.activeElement?.scrollIntoView({ block: 'nearest' }));
  if (carriedOver.size === 0) return null;
  return (
    <div className={classes.carriedOver} role="group" aria-label={texts.fieldsCarriedOver}>
      <span>{texts.carriedOver}</span>
      {[...carriedOver].map(([path, { value }]) => {
        const label = labelOf(archive, path) ?? path;
        const text = isBlank(value)
          ? label
          : texts.labelAndValue({ label, value: fieldValueText(value) });
        return (
          <span key={path} className={classes.carriedOverField}>
            <span className={shared.truncated} title={text}>
              {text}
            </span>
            <IconButton
              size={20}
              aria-label={texts.stopCarryingOverField(label)}
              onClick={() => onStop(path)}
            >
              <CloseIcon size={12} />
            </IconButton>
          </span>
        );
      })}
    </div>
  );
}
