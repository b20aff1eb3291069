import { expect } from 'vitest';
import type { ServiceClient } from '#tests/support/service-client.ts';
import { fileOf, type Attempt } from './clerks.ts';
import { ARCHIVE } from './ledger-content.ts';
import { contradictions, readState, tokensOf } from './stored-state.ts';

/**
 * Fails where there are findings, with words after which a test is not tried again (vite.config.ts): what was lost
 * once is lost.
 */
export function nothingIsLost(findings: readonly unknown[]): void {
  if (findings.length === 0) return;
  expect.fail(`Lost, doubled, half done or out of order: ${JSON.stringify(findings, null, 2)}`);
}

/** Compares what was answered with what is stored, and its history with the records. */
export async function lossesAndDoubles(
  client: ServiceClient,
  attempts: readonly Attempt[],
): Promise<string[]> {
  const records = await readState(client);
  const stored = tokensOf(records);
  const problems = records.flatMap(contradictions);
  for (const { kind, token, size, ids } of attempts) {
    const found = stored.get(token) ?? [];
    stored.delete(token);
    if (new Set(found).size !== found.length) problems.push(`${kind} was done twice`);
    if (ids === null) {
      if (found.length !== 0 && found.length !== size) {
        problems.push(`${kind} of ${size}, not answered: ${found.length} are there`);
      }
    } else if ([...found].sort().join() !== [...ids].sort().join()) {
      problems.push(`${kind} answered for ${ids.join()}: ${found.join()} are there`);
    }
  }
  for (const token of stored.keys()) problems.push(`nobody wrote ${token}`);
  const documents = attempts.filter(({ kind, ids }) => kind === 'document' && ids !== null);
  for (const { token, ids } of documents) {
    const path = `${ARCHIVE}/documents/${ids?.[0]}/file`;
    const { bytes } = await client.send({ method: 'GET', path });
    if (bytes.toString() !== fileOf(token))
      problems.push(`the file of ${ids?.[0]} is not as it was sent`);
  }
  return problems;
}
