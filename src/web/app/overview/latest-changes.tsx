import { Link } from '@tanstack/react-router';
import { listLink } from '#web/api/list-link.ts';
import * as texts from '#messages/overview.ts';
import { useSession } from '#web/api/session.queries.ts';
import { collectionName, type NamedCollection } from '#web/api/named-collections.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import type { LatestChange } from './latest.queries.ts';
import classes from './overview.module.css';
import { Section } from '#web/ui/section.tsx';

interface LatestChangesProps {
  readonly changes: readonly LatestChange[];
  readonly collections: readonly NamedCollection[];
  readonly error: Error | null;
}

/** The latest changes in all archives and tables, with user and time; each links to its form. */
export function LatestChanges({ changes, collections, error }: LatestChangesProps) {
  const { username } = useSession();
  return (
    <Section title={texts.latest}>
      {error && <ErrorPanel error={error} title={texts.latestNotRead} />}
      {changes.length === 0 && !error && <p className={classes.none}>{texts.noChanges}</p>}
      {changes.length > 0 && (
        <ul className={classes.rows}>
          {changes.map(({ collection, id, at, by }) => (
            <li key={`${collection.id} ${id}`}>
              <Link {...listLink(collection, { selected: id })} className={classes.row}>
                <span className={classes.words}>
                  {collection.kind === 'archive' ? texts.revision(id) : texts.record(id)}
                  <span className={classes.of}>{collectionName(collections, collection.id)}</span>
                </span>
                <span className={classes.aside}>
                  {by === username ? (
                    texts.byYou(localInstant(at))
                  ) : (
                    <RichText
                      text={texts.byPerson(<PersonName username={by} />, localInstant(at))}
                    />
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
