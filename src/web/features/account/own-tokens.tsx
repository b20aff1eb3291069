import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/account.ts';
import { useState } from 'react';
import type { AccessToken } from '#shared/contract/access-tokens.ts';
import { useSession } from '#web/api/session.queries.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { ConfirmDialog } from '#web/ui/lazy-confirm-dialog.ts';
import { AccountItem } from './account-item.tsx';
import { ownTokensQuery } from './account.queries.ts';
import { useRevokeToken } from './own-tokens.mutations.ts';
import shared from '#web/ui/shared.module.css';
import classes from './account.module.css';

const TokenDialog = lazyDialog(async () => (await import('./token-dialog.tsx')).TokenDialog);

/** The tokens with which programs of the user call the service. */
export function OwnTokens() {
  const { username } = useSession();
  const { data, error, refetch } = useQuery(ownTokensQuery(username));
  const [isMaking, setIsMaking] = useState(false);
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.tokensNotRead} />;
  return (
    <div className={shared.stack}>
      {data.length === 0 ? (
        <p className={shared.muted}>{texts.noToken}</p>
      ) : (
        <ul className={classes.items} aria-label={texts.tokens}>
          {data.map((token) => (
            <TokenItem key={token.tokenId} token={token} />
          ))}
        </ul>
      )}
      <div className={shared.buttons}>
        <Button variant="default" onClick={() => setIsMaking(true)}>
          {texts.makeToken}
        </Button>
      </div>
      <TokenDialog opened={isMaking} onClose={() => setIsMaking(false)} />
    </div>
  );
}

function TokenItem({ token }: { readonly token: AccessToken }) {
  const { name, prefix, right, expiresAt, lastUsedAt, archives, tables, configuration } = token;
  const [isRevoking, setIsRevoking] = useState(false);
  const revoke = useRevokeToken(token.tokenId);
  const close = () => setIsRevoking(false);
  return (
    <AccountItem
      name={name}
      details={[
        texts.tokenBegins(prefix),
        texts.rightTexts[right],
        ...(archives === null && tables === null
          ? []
          : [texts.onlyOn((archives?.length ?? 0) + (tables?.length ?? 0))]),
        ...(configuration ? [texts.withAdministration] : []),
        texts.expires(localInstant(expiresAt)),
        lastUsedAt === null ? texts.neverUsed : texts.lastUsed(localInstant(lastUsedAt)),
      ]}
    >
      <Button
        variant="default"
        size="compact-sm"
        aria-label={texts.revokeNamed(name)}
        onClick={() => setIsRevoking(true)}
      >
        {texts.revoke}
      </Button>
      <ConfirmDialog
        opened={isRevoking}
        onClose={close}
        title={texts.revokeNamed(name)}
        text={texts.revokeText}
        mutation={revoke}
        onDone={close}
        errorTitle={texts.notRevoked}
        submit={texts.revoke}
      />
    </AccountItem>
  );
}
