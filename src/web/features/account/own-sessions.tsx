import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/account.ts';
import { useSession } from '#web/api/session.queries.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { clientName } from '#web/ui/client-name.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { AccountItem } from './account-item.tsx';
import { useEndSessions } from './account.mutations.ts';
import { ownSessionsQuery } from './account.queries.ts';
import { EndConfirmation, isProofMissing } from './end-confirmation.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './account.module.css';

/** The sessions of the user on all devices; the others can be ended. */
export function OwnSessions() {
  const current = useSession();
  const { data, error, refetch } = useQuery(ownSessionsQuery);
  const end = useEndSessions();
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.sessionsNotRead} />;
  const others = data.filter(({ sessionId }) => sessionId !== current.sessionId);
  const isEnding = (sessionId: string) => end.isPending && end.variables.includes(sessionId);
  return (
    <div className={shared.stack}>
      <ul className={classes.items} aria-label={texts.sessions}>
        {data.map(({ sessionId, since, lastSeenAt, address, client }) => {
          const name = clientName(client);
          return (
            <AccountItem
              key={sessionId}
              name={name}
              fullName={client ?? undefined}
              details={[
                ...(sessionId === current.sessionId ? [texts.thisSession] : []),
                ...(address === null ? [] : [texts.from(address)]),
                texts.since(localInstant(since)),
                texts.lastSeen(localInstant(lastSeenAt)),
              ]}
            >
              {sessionId !== current.sessionId && (
                <Button
                  writes
                  variant="default"
                  size="compact-sm"
                  aria-label={texts.endNamed(name)}
                  loading={isEnding(sessionId)}
                  onClick={() => end.mutate([sessionId])}
                >
                  {texts.end}
                </Button>
              )}
            </AccountItem>
          );
        })}
      </ul>
      {end.error &&
        (isProofMissing(end.error) ? (
          <EndConfirmation onConfirmed={() => end.mutate(end.variables)} />
        ) : (
          <ErrorPanel error={end.error} title={texts.sessionNotEnded} />
        ))}
      {others.length > 0 ? (
        <div className={shared.buttons}>
          <Button
            writes
            variant="default"
            loading={end.isPending && end.variables.length === others.length}
            onClick={() => end.mutate(others.map(({ sessionId }) => sessionId))}
          >
            {texts.endAll}
          </Button>
        </div>
      ) : (
        <p className={shared.muted}>{texts.noOtherSession}</p>
      )}
    </div>
  );
}
