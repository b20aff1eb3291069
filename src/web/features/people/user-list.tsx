import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { roles } from '#messages/frame.ts';
import * as texts from '#messages/people.ts';
import { QueryError } from '#web/ui/query-state.tsx';
import { ShowMore } from '#web/ui/show-more.tsx';
import { TextInput } from '#web/ui/inputs/text-input.tsx';
import { usersQuery } from './people.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './people.module.css';

/** The users, filtered by name while typing. */
export function UserList() {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const query = useInfiniteQuery({ ...usersQuery(q), placeholderData: keepPreviousData });
  const { data, error, refetch } = query;
  const users = data?.pages.flatMap((page) => page.users) ?? [];
  return (
    <>
      <TextInput
        type="search"
        aria-label={texts.searchUsers}
        placeholder={texts.searchUsers}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <QueryError query={{ error, refetch }} title={texts.usersNotRead} />
      <ul className={classes.list} aria-label={texts.users}>
        {users.map(({ username, displayName, role, active }) => (
          <li key={username}>
            <Link
              to="/administration/users"
              search={{ user: username }}
              className={classes.item}
              data-disabled={!active || undefined}
            >
              <span className={classes.itemName}>{displayName}</span>
              <span className={shared.note}>{username}</span>
              <span className={shared.note}>{active ? roles[role] : texts.disabled}</span>
            </Link>
          </li>
        ))}
      </ul>
      {data && users.length === 0 && <p className={shared.muted}>{texts.noUserFound}</p>}
      <ShowMore list={query} variant="default" />
    </>
  );
}
