import { useQuery } from '@tanstack/react-query';
import { useSession } from '#web/api/session.queries.ts';
import { type Designed, designedSubjectsQuery, designIdOf } from './design-storage.ts';

/**
 * Whether the user has typed changes into the designer of an archive or table that are not applied.
 * @param definitions those that are asked about
 */
export function useHasUnappliedDesign(
  definitions: readonly Designed[],
): (definition: Designed) => boolean {
  const { username } = useSession();
  const { data } = useQuery(designedSubjectsQuery(username, definitions));
  return ({ kind, guid }) => data?.has(designIdOf(username, kind, guid).subject) === true;
}
