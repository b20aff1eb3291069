import type { ReactNode } from 'react';
import shared from '#web/ui/shared.module.css';
import classes from './account.module.css';

interface AccountItemProps {
  readonly name: string;
  /** the complete name, if it is shortened */
  readonly fullName?: string | undefined;
  readonly details: readonly string[];
  /** its commands */
  readonly children: ReactNode;
}

/** One of the factors, tokens or sessions of the user. On a narrow screen the buttons are below. */
export function AccountItem({ name, fullName, details, children }: AccountItemProps) {
  return (
    <li className={classes.item}>
      <div className={classes.itemText}>
        <span className={classes.itemName} title={fullName}>
          {name}
        </span>
        {details.map((detail) => (
          <span key={detail} className={shared.muted}>
            {detail}
          </span>
        ))}
      </div>
      <div className={shared.buttons}>{children}</div>
    </li>
  );
}
