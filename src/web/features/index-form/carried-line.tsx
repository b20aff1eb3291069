import { CloseButton } from '@mantine/core';
import type { ArchiveDetail } from '#shared/answers.ts';
import type { Pins } from './carried.ts';
import { heldText, isBlank } from './held.ts';
import { labelOf } from './refusals.ts';
import classes from './typing.module.css';

interface CarriedLineProps {
  readonly archive: ArchiveDetail;
  readonly pins: Pins;
  /** no longer carries the field on, by its place */
  readonly onRelease: (place: string) => void;
}

/** Says as long as fields are carried on which, and with what value; each can be released. */
export function CarriedLine({ archive, pins, onRelease }: CarriedLineProps) {
  if (pins.size === 0) return null;
  return (
    <div className={classes.carried} role="group" aria-label="Carried fields">
      <span>Carrying on</span>
      {[...pins].map(([place, { value }]) => {
        const label = labelOf(archive, place);
        const text = isBlank(value) ? label : `${label} = ${heldText(value)}`;
        return (
          <span key={place} className={classes.carriedField}>
            <span className={classes.carriedText} title={text}>
              {text}
            </span>
            <CloseButton
              size={20}
              aria-label={`Stop carrying ${label} on`}
              onClick={() => onRelease(place)}
            />
          </span>
        );
      })}
    </div>
  );
}
