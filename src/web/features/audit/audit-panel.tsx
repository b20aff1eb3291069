import * as texts from '#messages/audit.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEntry, RecordAtEntry } from '#shared/contract/audit.ts';
import { listLink } from '#web/api/list-link.ts';
import { scalarOf, toStored } from '#web/fields/history/entry-changes.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { QueryError } from '#web/ui/query-state.tsx';
import { DescriptionItem } from '#web/ui/description-list.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { PersonName } from '#web/ui/person-name.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { auditEntryQuery } from './audit.queries.ts';
import { actionText, subjectText } from './event-text.ts';
import { type AuditNames, useAuditNames } from './audit-names.ts';
import { changeLabel } from './change-label.ts';
import { AuditChange } from './entry-change.tsx';
import classes from './audit.module.css';

interface AuditPanelProps {
  readonly historyId: string;
  readonly onClose: () => void;
}

/** One entry: who, when, from where, the changes, and the record at that time. */
export function AuditPanel({ historyId, onClose }: AuditPanelProps) {
  useShortcut('Escape', onClose);
  const { data, error, refetch } = useQuery(auditEntryQuery(historyId));
  const names = useAuditNames();
  const entry = data?.entries[0];
  const title = entry
    ? texts.entryTitle({ action: actionText(entry), subject: subjectText(entry, names) })
    : texts.entry;
  return (
    <SidePanel title={title} closeLabel={texts.closeEntry} onClose={onClose}>
      <QueryError query={{ error, refetch }} title={texts.entryNotRead} />
      {!data && !error && <Spinner />}
      {entry && <Facts entry={entry} />}
      {entry && entry.changes.length > 0 && (
        <Section title={texts.changes}>
          <ul className={classes.changes}>
            {entry.changes.map((change) => (
              <AuditChange key={change.name} entry={entry} change={change} names={names} />
            ))}
          </ul>
        </Section>
      )}
      {entry && data.record && <Then entry={entry} record={data.record} names={names} />}
    </SidePanel>
  );
}

function Facts({ entry }: { readonly entry: AuditEntry }) {
  return (
    <dl className={classes.facts}>
      <DescriptionItem name={texts.time}>
        <time dateTime={entry.at}>{localInstant(entry.at)}</time>
      </DescriptionItem>
      <DescriptionItem name={texts.user}>
        {entry.user === null ? texts.unknownAccount : <PersonName username={entry.user} />}
      </DescriptionItem>
      <DescriptionItem name={texts.address}>{entry.address ?? texts.noAddress}</DescriptionItem>
      <DescriptionItem name={texts.call}>{entry.call}</DescriptionItem>
      <DescriptionItem name={texts.historyId}>{entry.historyId}</DescriptionItem>
    </dl>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface ThenProps {
  readonly entry: AuditEntry;
  readonly record: RecordAtEntry;
  readonly names: AuditNames;
}

function Then({ entry, record, names }: ThenProps) {
  const { archive, table, id } = entry;
  const kind = archive === undefined ? 'table' : 'archive';
  const collectionId = archive ?? table;
  const column = kind === 'archive' ? 'revisionId' : 'jrid';
  return (
    <Section title={record.exists ? texts.recordThen : texts.recordDeleted}>
      <dl className={classes.facts}>
        {record.values.map(({ name, value }) => (
          <div key={name}>
            <dt title={name}>{changeLabel(entry, name, names)}</dt>
            <dd>{String(scalarOf(toStored(value)) ?? '')}</dd>
          </div>
        ))}
      </dl>
      {collectionId !== undefined && id !== null && (
        <Link
          className={classes.link}
          {...listLink({ kind, id: collectionId }, { [`where[${column}][eq]`]: id })}
        >
          {texts.openRecord}
        </Link>
      )}
    </Section>
  );
}
