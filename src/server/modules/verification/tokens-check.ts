import { isSameJson } from '#server/lib/same-json.ts';
import * as texts from '#messages/service/verification.ts';
import type { Transaction } from '#server/database/database.ts';
import { auditStateOfToken, readTokensOf } from '../accounts/stored-access-tokens.ts';
import { readChanges } from '../history/history.service.ts';
import type { VerificationFindings } from './verification-findings.ts';

/**
 * Finds tokens that were not created by the service, that were revoked, and that have more permissions than were given.
 */
export async function checkTokens(db: Transaction, findings: VerificationFindings): Promise<void> {
  const byUser = Map.groupBy(await readTokensOf(db, null), ({ userId }) => userId);
  for (const [user, tokens] of byUser) {
    const made = await readCreatedTokens(db, user);
    for (const token of tokens) {
      const { id } = token;
      const state = made.get(id);
      if (!state)
        findings.add((made.has(id) ? texts.tokenRevoked : texts.tokenUnknown)({ id, user }));
      else {
        const now = auditStateOfToken(token);
        for (const name of new Set([...Object.keys(now), ...state.keys()])) {
          if (isSameJson(now[name] ?? null, state.get(name) ?? null)) continue;
          findings.add(texts.tokenDiffers({ id, user, name }));
        }
      }
    }
  }
}

/** The tokens of a user as created, by id; null: it was revoked. */
async function readCreatedTokens(
  db: Transaction,
  userId: number,
): Promise<Map<unknown, ReadonlyMap<string, unknown> | null>> {
  const rows = await db.k
    .selectFrom('history')
    .select(['kind', 'changes'])
    .where('scope', '=', 'token')
    .where('thing_id', '=', 0)
    .where('row_id', '=', userId)
    .where('kind', 'in', ['create', 'delete'])
    .orderBy('id')
    .execute();
  const made = new Map<unknown, ReadonlyMap<string, unknown> | null>();
  for (const { kind, changes } of rows) {
    const [before, after] = (['before', 'after'] as const).map(
      (side) => new Map(readChanges(changes).map((change) => [change.name, change[side]])),
    );
    if (kind === 'create') made.set(after?.get('tokenId'), after ?? null);
    else made.set(before?.get('tokenId'), null);
  }
  return made;
}
