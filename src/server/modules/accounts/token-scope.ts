import * as httpTexts from '#messages/service/http.ts';
import * as peopleTexts from '#messages/service/people.ts';
import * as texts from '#messages/service/access-tokens.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { AccessToken } from '#shared/contract/access-tokens.ts';
import type { CreateTokenBody } from '#shared/contract/access-token-requests.ts';
import { EntryErrors } from '#shared/contract/errors.ts';
import { allows, type TokenScope } from '#shared/rules/rights.ts';
import { isNamed } from '../rights/named-rights.ts';
import type { RightsSubject, VisibleCollections } from '../rights/rights.service.ts';
import type { StoredToken } from './access-tokens.store.ts';

/**
 * The permissions of a new token.
 * @param visible what its owner sees
 * @param maker the owner, and the token that creates it
 * @throws {ApiError} 403 if another user than an administrator requests administration, or a token requests more than
 * it has; 422 naming archives and tables that do not exist for the owner, or if a token for the administration, which has
 * all of them, is to be limited to some; with all errors together
 */
export function readTokenScope(
  visible: VisibleCollections,
  maker: Pick<RightsSubject, 'role' | 'scope'>,
  { right, archives, tables, configuration = false }: CreateTokenBody['token'],
): TokenScope {
  const errors = new EntryErrors();
  if (configuration && maker.role !== 'administrator') {
    errors.add('forbidden', '-', texts.configuration);
  }
  // A token cannot create one with more permissions than its own.
  if (maker.scope && !allows(maker.scope.right, right)) {
    errors.add('forbidden', '-', httpTexts.rightMissing);
  }
  const inherited = maker.scope?.only ?? null;
  if (configuration && (archives || tables || inherited)) {
    errors.add('validation_failed', 'token.configuration', texts.configurationIsUnlimited);
  }
  const idsOf = (
    kind: 'archives' | 'tables',
    names: readonly string[],
    unknown: typeof peopleTexts.unknownArchive,
  ): number[] =>
    names.flatMap((name) => {
      const collections: readonly { readonly collection: Collection }[] = visible[kind];
      const found = collections.find(({ collection }) => isNamed(collection, name));
      if (found) return [found.collection.id];
      errors.add('validation_failed', `token.${kind}`, unknown({ name }));
      return [];
    });
  const only = {
    archives: idsOf('archives', archives ?? [], peopleTexts.unknownArchive),
    tables: idsOf('tables', tables ?? [], peopleTexts.unknownTable),
  };
  errors.throwIfAny(true);
  return { right, only: archives || tables ? only : inherited, configuration };
}

/** Tokens in an answer: with the archives and tables that the reader can see. */
export function presentTokens(
  { archives, tables }: VisibleCollections,
  tokens: readonly StoredToken[],
): AccessToken[] {
  const archiveNames = new Map(archives.map(({ collection: { id, name } }) => [id, name]));
  const guids = new Map(tables.map(({ collection: { id, guid } }) => [id, guid]));
  const named = (ids: readonly number[], names: ReadonlyMap<number, string>) =>
    ids.flatMap((id) => names.get(id) ?? []);
  return tokens.map(({ id, name, prefix, scope, createdAt, expiresAt, lastUsedAt }) => ({
    tokenId: id,
    name,
    prefix,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    lastUsedAt: isoTime(lastUsedAt),
    right: scope.right,
    archives: scope.only && named(scope.only.archives, archiveNames),
    tables: scope.only && named(scope.only.tables, guids),
    configuration: scope.configuration,
  }));
}
