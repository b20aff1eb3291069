import * as texts from '#messages/index-form.ts';
import { useEffect, useRef } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { IconButton } from '#web/ui/button.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { fieldValueText, isBlank } from '#web/fields/field-model.ts';
import type { StickyValues } from './sticky-values.ts';
import { labelOf } from './form-values.ts';
import classes from './input-assist.module.css';

interface StickyValuesLineProps {
  readonly archive: ArchiveDetail;
  readonly pins: StickyValues;
  /** ends the sticky value of a place */
  readonly onRelease: (place: string) => void;
}

/** Lists the sticky fields with their values; each can be released. */
export function StickyValuesLine({ archive, pins, onRelease }: StickyValuesLineProps) {
  const before = useRef(pins.size);
  useEffect(() => {
    if (pins.size === before.current) return;
    before.current = pins.size;
    // The line moves the fields down; the focused one stays visible.
    document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [pins.size]);
  if (pins.size === 0) return null;
  return (
    <div className={classes.sticky} role="group" aria-label={texts.fieldsCarriedOver}>
      <span>{texts.carriedOver}</span>
      {[...pins].map(([place, { value }]) => {
        const label = labelOf(archive, place) ?? place;
        const text = isBlank(value)
          ? label
          : texts.labelAndValue({ label, value: fieldValueText(value) });
        return (
          <span key={place} className={classes.stickyField}>
            <span className={classes.stickyText} title={text}>
              {text}
            </span>
            <IconButton
              size={20}
              aria-label={texts.stopCarryingOverField(label)}
              onClick={() => onRelease(place)}
            >
              <CloseIcon size={12} />
            </IconButton>
          </span>
        );
      })}
    </div>
  );
}
