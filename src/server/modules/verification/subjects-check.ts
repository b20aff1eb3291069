import type { Transaction } from '#server/database/database.ts';
import { nameKey } from '#shared/names.ts';
import { DEFINITIONS_OF, readDefinitionAuditStates } from '../definitions/definitions.service.ts';
import {
  readChanges,
  walkHistory,
  type AuditState,
  type WalkedEntry,
} from '../history/history.service.ts';
import { readUserAuditStates } from '../accounts/users.service.ts';
import { shown, type Findings } from './findings.ts';
import { same } from './replay.ts';

/**
 * Compares definitions, users and their rights with what the history says they are; of passwords it says nothing.
 * @returns how many there are
 */
export async function checkSubjects(db: Transaction, findings: Findings): Promise<number> {
  const users = await readUserAuditStates(db);
  await check(db, findings, 'user', 0, users, (id, told) => `User ${nameOf(told, id)}`);
  await checkSignInNames(db, findings);
  let count = users.size;
  for (const kind of ['archive', 'table'] as const) {
    const collections = await readDefinitionAuditStates(db, kind);
    const name = (id: number) => `The definition of ${kind} ${id}`;
    await check(db, findings, 'definition', DEFINITIONS_OF[kind], collections, name);
    count += collections.size;
  }
  return count;
}

/** A user is found by the name in lower case, which the history does not tell. */
async function checkSignInNames(db: Transaction, findings: Findings): Promise<void> {
  const users = await db.k.selectFrom('users').select(['username', 'username_key']).execute();
  for (const { username, username_key: key } of users) {
    if (key === nameKey(username)) continue;
    findings.add(`User ${shown(username)}: the name to sign in with is ${shown(key)}.`);
  }
}

async function check(
  db: Transaction,
  findings: Findings,
  kind: 'user' | 'definition',
  id: number,
  stored: ReadonlyMap<number, AuditState>,
  name: (id: number, told: ReadonlyMap<string, unknown>) => string,
): Promise<void> {
  const subjects = new Map<number, Map<string, unknown>>();
  for await (const page of walkHistory(db, { kind, id })) {
    for (const entry of page) {
      const told = subjects.get(entry.rowId) ?? new Map<string, unknown>();
      subjects.set(entry.rowId, told);
      for (const problem of take(told, entry)) {
        findings.add(`${name(entry.rowId, told)}, history ${entry.id}: ${problem}.`);
      }
    }
  }
  for (const [rowId, told] of subjects) {
    const now = stored.get(rowId);
    if (!now) {
      findings.add(`${name(rowId, told)}: it is missing.`);
      continue;
    }
    for (const key of new Set([...told.keys(), ...Object.keys(now)])) {
      for (const [place, is, was] of differences(key, now[key] ?? null, told.get(key) ?? null)) {
        const differs = `${place} is ${shown(is)}, its history leads to ${shown(was)}`;
        findings.add(`${name(rowId, told)}: ${differs}.`);
      }
    }
  }
  for (const [rowId, now] of stored) {
    if (subjects.has(rowId)) continue;
    const told = new Map(Object.entries(now));
    findings.add(`${name(rowId, told)}: it is there, and the history knows nothing of it.`);
  }
}

/** Where two plain JSON values differ, with what each has there. */
function differences(place: string, a: unknown, b: unknown): [string, unknown, unknown][] {
  if (same(a, b)) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return [[place, a, b]];
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) =>
    differences(`${place}.${key}`, one.get(key) ?? null, other.get(key) ?? null),
  );
}

/** Takes the next entry. @returns how it contradicts those before it */
function take(told: Map<string, unknown>, entry: WalkedEntry): string[] {
  const problems: string[] = [];
  for (const { name, before, after } of readChanges(entry.changes)) {
    // That it was changed is all that is told.
    if (name === 'password') continue;
    const known = told.get(name) ?? null;
    if (!same(before, known)) {
      problems.push(
        `${name} was ${shown(before)} before, and ${shown(known)} after the entries before it`,
      );
    }
    told.set(name, after);
  }
  return problems;
}

function nameOf(told: ReadonlyMap<string, unknown>, id: number): string {
  return shown(told.get('username') ?? id);
}
