import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/people.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { useLinkIdentity } from './people.mutations.ts';
import { identityQuery } from './people.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './people.module.css';

/**
 * The account at the provider with which a user signs in. Without such an account: the accounts of the same name that
 * have tried to sign in; an administrator decides which of them belongs to the user. Empty if there is neither.
 */
export function IdentityOfUser({ username }: { readonly username: string }) {
  const { data, error, refetch } = useQuery(identityQuery(username));
  const { mutate, isPending } = useLinkIdentity(username);
  if (error) {
    return <QueryError query={{ error, refetch }} title={texts.identityNotRead} />;
  }
  if (!data || data.length === 0) return null;
  return (
    <section className={classes.section}>
      <h3 className={shared.quietHeading}>{texts.identity}</h3>
      {data.map(({ issuer, subject, provider, username: name, isLinked }) => (
        <div key={`${issuer} ${subject}`}>
          <p>
            {isLinked
              ? texts.linkedWith({ provider, name })
              : texts.wantsToSignIn({ provider, name })}
          </p>
          <p className={shared.muted}>{texts.subjectOf(subject)}</p>
          {isLinked ? (
            <Button
              writes
              variant="light"
              color="red"
              loading={isPending}
              onClick={() => mutate(null)}
            >
              {texts.unlinkIdentity}
            </Button>
          ) : (
            <Button
              writes
              variant="default"
              loading={isPending}
              onClick={() => mutate({ issuer, subject })}
            >
              {texts.linkIdentity}
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}
