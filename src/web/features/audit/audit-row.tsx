import * as texts from '#messages/audit.ts';
import { type CSSProperties, useMemo } from 'react';
import type { AuditEntry } from '#shared/contract/audit.ts';
import { PersonName } from '#web/ui/person-name.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import type { AuditNames } from './audit-names.ts';
import { actionText, detailText, subjectOf } from './event-text.ts';
import shared from '#web/ui/shared.module.css';
import classes from './audit.module.css';

interface AuditRowProps {
  readonly id: string;
  readonly entry: AuditEntry;
  readonly names: AuditNames;
  /** from 1 */
  readonly position: number;
  readonly isSelected: boolean;
  readonly style: CSSProperties;
  readonly onSelect: () => void;
}

/** One entry of the list. The list, which has the focus, handles the keys. */
export function AuditRow(props: AuditRowProps) {
  const { id, entry, names, position, isSelected, style, onSelect } = props;
  const { text, number } = subjectOf(entry, names);
  // Whole definitions are compared for it.
  const detail = useMemo(() => detailText(entry, names), [entry, names]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list has the keys
    <div
      id={id}
      role="option"
      // The list refers to the selected entry; entries never have the focus.
      tabIndex={-1}
      aria-selected={isSelected}
      aria-posinset={position}
      aria-setsize={-1}
      data-kind={entry.kind}
      className={classes.row}
      style={style}
      onClick={onSelect}
    >
      <time dateTime={entry.at}>{localInstant(entry.at)}</time>
      <span>
        {entry.user === null ? texts.unknownAccount : <PersonName username={entry.user} />}
      </span>
      <span className={classes.action}>{actionText(entry)}</span>
      <span className={classes.subject}>
        <span className={shared.truncated}>{text}</span> <span>{number}</span>
      </span>
      <span className={classes.detail}>{detail}</span>
    </div>
  );
}
