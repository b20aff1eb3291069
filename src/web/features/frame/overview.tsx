import { useQuery, useSuspenseQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OpenQueue } from '#shared/desk.ts';
import { archivesQuery } from '#web/api/archives.queries.ts';
import { openQueuesQuery, queueWords } from '#web/api/queues.queries.ts';
import { shownCount } from '#web/api/reader.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import { Link } from '#web/navigation/link.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { ArchiveIcon, GoOnIcon, TableIcon } from '#web/ui/icons.tsx';
import { localInstant } from '#web/ui/value-text.ts';
import classes from './overview.module.css';

/** All archives and tables of the user at a glance. */
export function Overview() {
  const { username } = useSession();
  const [archives, tables] = useSuspenseQueries({
    queries: [archivesQuery(username), tablesQuery],
  });
  const { data: queues = [] } = useQuery(openQueuesQuery(username));
  if (archives.data.length + tables.data.length === 0) {
    return (
      <Empty title="Nothing to work on yet">
        You have no rights to an archive or table. An administrator can give them to you.
      </Empty>
    );
  }
  return (
    <div className={classes.overview}>
      <Group title="Archives">
        {archives.data.map(({ table, name, description, documents }) => (
          <li key={table}>
            <Link to={{ page: 'archive', archive: table }} className={classes.row}>
              <ArchiveIcon />
              <Words name={name} description={description} />
              <Count number={documents} of={documents === 1 ? 'revision' : 'revisions'} />
            </Link>
            <Waiting queues={queues.filter(({ archive }) => archive === table)} />
          </li>
        ))}
      </Group>
      <Group title="Tables">
        {tables.data.map(({ guid, label, description, datasets }) => (
          <li key={guid}>
            <Link to={{ page: 'table', guid }} className={classes.row}>
              <TableIcon />
              <Words name={label} description={description} />
              <Count number={datasets} of={datasets === 1 ? 'record' : 'records'} />
            </Link>
          </li>
        ))}
      </Group>
    </div>
  );
}

function Group({
  title,
  children,
}: {
  readonly title: string;
  readonly children: readonly ReactNode[];
}) {
  if (children.length === 0) return null;
  return (
    <section>
      <h2 className={classes.heading}>{title}</h2>
      <ul className={classes.list}>{children}</ul>
    </section>
  );
}

/** More are in the menu of the archive. */
const MOST_QUEUES = 3;

/** The queues of an archive that are not at their end yet, each at the place where one left it. */
function Waiting({ queues }: { readonly queues: readonly OpenQueue[] }) {
  return queues.slice(0, MOST_QUEUES).map(({ archive, queueId, usedAt, ...queue }) => (
    <Link key={queueId} to={{ page: 'queue', archive, queueId }} className={classes.goOn}>
      <GoOnIcon size={14} />
      <span className={classes.queue}>Resume: {queueWords(queue)}</span>
      <span className={classes.used}>{localInstant(usedAt)}</span>
    </Link>
  ));
}

function Words({ name, description }: { readonly name: string; readonly description: string }) {
  return (
    <span className={classes.words}>
      <span className={classes.name}>{name}</span>
      {description !== '' && <span className={classes.description}>{description}</span>}
    </span>
  );
}

function Count({ number, of }: { readonly number: number; readonly of: string }) {
  return (
    <span className={classes.count}>
      <b>{shownCount(number)}</b> {of}
    </span>
  );
}
