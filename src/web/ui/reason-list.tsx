import { RichText } from './rich-text.tsx';
import * as texts from '#messages/common.ts';
import classes from './reason-list.module.css';

/** Things with the reason why something did not happen to them. */
export interface Reasons {
  /** the accessible name of the list */
  readonly label: string;
  /** the sentence before them */
  readonly message: string;
  readonly items: readonly ReasonItem[];
}

export interface ReasonItem {
  /** identifies it among the others */
  readonly id: string;
  /** for display: `Record 12, Name` */
  readonly subject: string;
  readonly reason: string;
}

/** How many are listed. */
const LISTED = 100;

/** Lists things with their reasons. */
export function ReasonList({ label, message, items }: Reasons) {
  return (
    <>
      <p className={classes.message}>{message}</p>
      <ul className={classes.list} aria-label={label}>
        {items.slice(0, LISTED).map(({ id, subject, reason }) => (
          <li key={id}>
            <RichText text={texts.withReason(<b>{subject}</b>, reason)} />
          </li>
        ))}
        {items.length > LISTED && <li>{texts.moreItems(items.length - LISTED)}</li>}
      </ul>
    </>
  );
}
