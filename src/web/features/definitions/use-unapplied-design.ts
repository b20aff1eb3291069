import { useQuery } from '@tanstack/react-query';
import { useSession } from '#web/api/session.queries.ts';
import type { CollectionDefinition } from './collection-definition.ts';
import { designIdOf, designQuery } from './design-storage.ts';

/** Whether the user has typed changes into the designer of an archive or table that are not applied. */
export function useHasUnappliedDesign({
  kind,
  guid,
  version,
}: Pick<CollectionDefinition, 'kind' | 'guid' | 'version'>): boolean {
  const { username } = useSession();
  return Boolean(useQuery(designQuery(designIdOf(username, kind, guid), version)).data);
}
