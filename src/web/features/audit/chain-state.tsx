import * as texts from '#messages/audit.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { auditQuery } from './audit.queries.ts';
import type { AuditSearch } from './audit-address.ts';

/** Which of the loaded entries the chain has sealed. */
export function ChainState({ filter }: { readonly filter: AuditSearch }) {
  const { data } = useInfiniteQuery(auditQuery(filter));
  const chain = data?.pages[0]?.meta.chain;
  if (!chain) return null;
  const [block = ''] = chain.head.split('/');
  return (
    <span title={texts.chainHint(chain.head)}>
      {texts.chainHead({ entries: chain.sealedUpTo, block })}
    </span>
  );
}
