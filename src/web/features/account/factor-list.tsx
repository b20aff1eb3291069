import * as texts from '#messages/account.ts';
import { useState } from 'react';
import type { Factor } from '#shared/contract/factors.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { AccountItem } from './account-item.tsx';
import { useRemoveFactor } from './account.mutations.ts';
import shared from '#web/ui/shared.module.css';
import classes from './account.module.css';

const RenameFactorDialog = lazyDialog(
  async () => (await import('./rename-factor-dialog.tsx')).RenameFactorDialog,
);

interface FactorListProps {
  readonly factors: readonly Factor[];
  readonly canChange: boolean;
}

/** The second factors of the user. */
export function FactorList({ factors, canChange }: FactorListProps) {
  const { mutate, isPending, variables, error } = useRemoveFactor();
  const [renamed, setRenamed] = useState<Factor>();
  const [isRenaming, setIsRenaming] = useState(false);
  const rename = (factor: Factor) => {
    setRenamed(factor);
    setIsRenaming(true);
  };
  return (
    <>
      {factors.length === 0 ? (
        <p className={shared.muted}>{texts.none}</p>
      ) : (
        <ul className={classes.items} aria-label={texts.secondFactor}>
          {factors.map((factor) => (
            <AccountItem
              key={factor.factorId}
              name={factor.name}
              details={[
                texts.kinds[factor.kind],
                texts.added(localInstant(factor.createdAt)),
                factor.lastUsedAt === null
                  ? texts.neverUsed
                  : texts.lastUsed(localInstant(factor.lastUsedAt)),
              ]}
            >
              <Button
                variant="default"
                size="compact-sm"
                aria-label={texts.renameNamed(factor.name)}
                disabled={!canChange}
                onClick={() => rename(factor)}
              >
                {texts.rename}
              </Button>
              <Button
                writes
                variant="default"
                size="compact-sm"
                aria-label={texts.removeNamed(factor.name)}
                disabled={!canChange}
                loading={isPending && variables === factor.factorId}
                onClick={() => mutate(factor.factorId)}
              >
                {texts.remove}
              </Button>
            </AccountItem>
          ))}
        </ul>
      )}
      {error && <ErrorPanel error={error} title={texts.notRemoved} />}
      {renamed && (
        <RenameFactorDialog
          key={renamed.factorId}
          opened={isRenaming}
          factor={renamed}
          onClose={() => setIsRenaming(false)}
        />
      )}
    </>
  );
}
