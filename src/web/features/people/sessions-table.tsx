import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/people.ts';
import { useSession } from '#web/api/session.queries.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { clientName } from '#web/ui/client-name.ts';
import { QueryPending } from '#web/ui/query-state.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { useEndSession } from './people.mutations.ts';
import { sessionsQuery } from './people.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './people.module.css';

/** The active sessions; each can be ended except the user's own. */
export function SessionsTable() {
  const current = useSession();
  const { data, error, refetch } = useQuery(sessionsQuery);
  const { mutate, isPending, variables } = useEndSession();
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.sessionsNotRead} />;
  return (
    <PlainTable
      isStacked
      headings={[texts.user, texts.since, texts.lastSeen, texts.address, texts.client, texts.end]}
    >
      {data.map(({ sessionId, username, since, lastSeenAt, address, client }) => (
        <tr key={sessionId}>
          <th data-label={texts.user} scope="row">
            {username}
          </th>
          <td data-label={texts.since}>{localInstant(since)}</td>
          <td data-label={texts.lastSeen}>{localInstant(lastSeenAt)}</td>
          <td data-label={texts.address}>{address}</td>
          <td data-label={texts.client} className={classes.client} title={client ?? undefined}>
            {clientName(client)}
          </td>
          <td data-label={texts.end}>
            {sessionId === current.sessionId ? (
              <span className={shared.muted}>{texts.ownSession}</span>
            ) : (
              <Button
                writes
                variant="default"
                size="compact-sm"
                aria-label={texts.endOf(username)}
                loading={isPending && variables === sessionId}
                onClick={() => mutate(sessionId)}
              >
                {texts.end}
              </Button>
            )}
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}
