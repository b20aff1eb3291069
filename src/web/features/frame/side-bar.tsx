import * as administrationTexts from '#messages/administration.ts';
import * as texts from '#messages/frame.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { archivesQuery } from '#web/api/archives.queries.ts';
import type { CallError } from '#web/api/failure.ts';
import { formatCount } from '#shared/messages/format.ts';
import { useSession } from '#web/api/session.queries.ts';
import { repeatedLabels } from '#web/api/repeated-labels.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import { ArchiveIcon, SearchIcon, TableIcon } from '#web/ui/icons.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import shared from '#web/ui/shared.module.css';
import { ADMINISTRATION_LINKS } from './administration-links.ts';
import { ColourSchemeChoice } from './colour-scheme-choice.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import classes from './side-bar.module.css';
import { UserMenu } from './user-menu.tsx';

interface SideBarProps {
  readonly onSearch: () => void;
  readonly onSignedOut: () => void;
}

/** Links to every archive and table, with the number of records. */
export function SideBar({ onSearch, onSignedOut }: SideBarProps) {
  const { username, role } = useSession();
  const archives = useQuery(archivesQuery(username));
  const tables = useQuery(tablesQuery);
  const repeated = repeatedLabels(archives.data, tables.data);
  return (
    <div className={classes.bar}>
      <Link to="/" className={classes.brand}>
        <img src="/favicon.svg" alt="" width={20} height={20} />
        {texts.indexdesk}
      </Link>
      <button type="button" className={classes.search} onClick={onSearch}>
        <SearchIcon size={14} />
        <span>{texts.goToButton}</span>
        <Kbd keys="mod+K" />
      </button>
      <nav aria-label={texts.archivesAndTables} className={classes.nav}>
        <Section
          title={texts.archives}
          error={archives.error}
          isEmpty={archives.data?.length === 0}
        >
          {archives.data?.map(({ table, name, documents }) => (
            <li key={table}>
              <Link to="/archives/$archive" params={{ archive: table }} className={classes.link}>
                <ArchiveIcon size={15} />
                <Entry label={name} name={repeated.has(name) && table} count={documents} />
              </Link>
            </li>
          ))}
        </Section>
        <Section title={texts.tables} error={tables.error} isEmpty={tables.data?.length === 0}>
          {tables.data?.map(({ guid, name, label, datasets }) => (
            <li key={guid}>
              <Link to="/tables/$guid" params={{ guid }} className={classes.link}>
                <TableIcon size={15} />
                <Entry label={label} name={repeated.has(label) && name} count={datasets} />
              </Link>
            </li>
          ))}
        </Section>
        {role === 'administrator' && (
          <Section title={administrationTexts.administration} error={null}>
            {ADMINISTRATION_LINKS.map(({ to, name, Icon }) => (
              <li key={to}>
                <Link to={to} className={classes.link}>
                  <Icon size={15} />
                  <span className={classes.name}>{name}</span>
                </Link>
              </li>
            ))}
          </Section>
        )}
      </nav>
      <LiveIndicator />
      <div className={classes.foot}>
        <UserMenu onSignedOut={onSignedOut} />
        <ColourSchemeChoice />
      </div>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly error: CallError | null;
  /** whether there is nothing to show: then neither is the title */
  readonly isEmpty?: boolean;
  readonly children: ReactNode;
}

function Section({ title, error, isEmpty = false, children }: SectionProps) {
  if (isEmpty && !error) return null;
  return (
    <section>
      <h2 className={classes.heading}>{title}</h2>
      {error && <p className={classes.error}>{error.message}</p>}
      <ul>{children}</ul>
    </section>
  );
}

interface EntryProps {
  readonly label: string;
  /** the internal name, where others have the same label */
  readonly name: string | false;
  readonly count: number;
}

function Entry({ label, name, count }: EntryProps) {
  return (
    <>
      <span className={classes.name} title={label}>
        {label}
        {name && <span className={shared.note}> {name}</span>}
      </span>
      <span className={classes.count}>{formatCount(count)}</span>
    </>
  );
}
