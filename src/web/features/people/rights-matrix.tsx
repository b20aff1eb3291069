import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as texts from '#messages/people.ts';
import type { Rights } from '#shared/contract/configuration-people.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { collectionName, type NamedCollection } from '#web/api/named-collections.ts';
import { ShowMore } from '#web/ui/show-more.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { combineQueries } from '#web/api/combine-queries.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import shared from '#web/ui/shared.module.css';
import { useCollections } from '#web/api/collections.queries.ts';
import { keyOfRight, type RightChange, useChangeRights } from './people.mutations.ts';
import { groupsQuery, usersQuery } from './people.queries.ts';
import { RIGHT_OPTIONS } from './right-options.ts';
import { type ChosenRight, fieldEntries, rightOf } from './chosen-rights.ts';
import classes from './people.module.css';

/** The rights of all groups and users on all archives and tables, edited in place. */
export function RightsMatrix() {
  const collections = useCollections();
  const groups = useQuery(groupsQuery);
  const users = useInfiniteQuery(usersQuery(''));
  const { sent, changeRight } = useChangeRights();
  if (!collections.data || !groups.data || !users.data) {
    const all = combineQueries(collections, groups, users);
    return <QueryPending query={all} title={texts.rightsNotRead} />;
  }
  const named = collections.data;
  const listed = users.data.pages
    .flatMap((page) => page.users)
    .filter(({ role }) => role !== 'administrator');
  if (named.length === 0) return <NothingToGrant />;
  if (groups.data.length + listed.length === 0 && !users.hasNextPage) return <OnlyAdministrators />;
  const rowOf = (of: 'user' | 'group', name: string, label: string, rights: Rights, note = '') => (
    <RightsRow
      key={`${of} ${name}`}
      name={label}
      collections={named}
      rights={rights}
      rightOn={(collection) => {
        const pending = sent.get(keyOfRight({ of, name, collection }));
        return pending?.error === null ? pending.change.right : rightOf(rights, collection);
      }}
      onChange={(collection, right) => changeRight({ of, name, collection, right })}
    >
      {of === 'user' ? (
        <Link to="/administration/users" search={{ user: name }}>
          {label}
        </Link>
      ) : (
        <Link to="/administration/groups" search={{ group: name }}>
          {label}
        </Link>
      )}
      {note !== '' && <span className={shared.detail}>{note}</span>}
    </RightsRow>
  );
  return (
    <div className={shared.stack}>
      <p className={shared.muted}>{texts.rightsOfMany}</p>
      {[...sent].map(
        ([key, { change, error }]) =>
          error && <ErrorPanel key={key} error={error} title={titleOf(change, named)} />,
      )}
      <PlainTable
        headings={[
          texts.rightsHeader,
          ...named.map(({ collection: { id: key }, name: content }) => ({
            key,
            content,
            isNumber: false,
          })),
        ]}
        className={classes.matrix}
        frameClass={classes.fitting}
      >
        {groups.data.map(({ name, label, rights }) => rowOf('group', name, label || name, rights))}
        {listed.map(({ username, displayName, rights, active }) =>
          rowOf('user', username, displayName || username, rights, active ? '' : texts.disabled),
        )}
      </PlainTable>
      <ShowMore list={users} variant="default" />
    </div>
  );
}

/** Which right was not changed. */
function titleOf({ name, collection }: RightChange, named: readonly NamedCollection[]): string {
  return texts.rightNotChanged({ of: name, on: collectionName(named, collection.id) });
}

function NothingToGrant() {
  return (
    <EmptyState title={texts.nothingToGrant}>
      <p>{texts.nothingToGrantHint}</p>
      <Link to="/administration/definitions">{texts.toArchivesAndTables}</Link>
    </EmptyState>
  );
}

function OnlyAdministrators() {
  return (
    <EmptyState title={texts.onlyAdministrators}>
      <p>{texts.onlyAdministratorsHint}</p>
      <Link to="/administration/users">{texts.users}</Link>
      <Link to="/administration/groups">{texts.groups}</Link>
    </EmptyState>
  );
}

interface RightsRowProps {
  readonly name: string;
  readonly collections: readonly NamedCollection[];
  readonly rights: Rights;
  /** the right to show: one that is being changed counts as changed */
  readonly rightOn: (collection: CollectionRef) => ChosenRight;
  readonly onChange: (collection: CollectionRef, right: ChosenRight) => void;
  /** the name as a link, and what is said below it */
  readonly children: ReactNode;
}

function RightsRow(props: RightsRowProps) {
  const { name: of, collections, rights, rightOn, onChange, children } = props;
  return (
    <tr>
      <th scope="row">{children}</th>
      {collections.map(({ collection, name }) => (
        <td key={collection.id}>
          <NativeSelect
            aria-label={texts.rightOfOn({ of, name })}
            options={RIGHT_OPTIONS}
            value={rightOn(collection)}
            onChange={(right) => onChange(collection, right)}
          />
          {fieldEntries(rights, collection).length > 0 && (
            <span className={shared.note}>{texts.withFields}</span>
          )}
        </td>
      ))}
    </tr>
  );
}
