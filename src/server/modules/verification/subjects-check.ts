import * as texts from '#messages/service/verification.ts';
import type { Transaction } from '#server/database/database.ts';
import { nameKey } from '#shared/rules/names.ts';
import {
  DEFINITION_SUBJECT_IDS,
  readDefinitionAuditStates,
} from '../definitions/definitions.service.ts';
import {
  readChanges,
  iterateEntries,
  type AuditState,
  type EntryRecord,
} from '../history/history.service.ts';
import { readUserAuditStates } from '../accounts/users.service.ts';
import { readGroupAuditStates } from '../groups/groups.service.ts';
import { PURGE_CHANGE } from '../purges/purges.service.ts';
import { shown, type VerificationFindings } from './verification-findings.ts';
import { isSameJson } from '#server/lib/same-json.ts';

/** The state of an object according to its entries, by name. */
type State = ReadonlyMap<string, unknown>;

/** Properties of which the history records only that they changed, never their values. */
const SECRETS: ReadonlySet<string> = new Set(['password', 'recoveryCodes']);

/**
 * Compares definitions, users and their rights with their states in the history, which has nothing about passwords.
 * @returns the number of objects
 */
export async function checkSubjects(
  db: Transaction,
  findings: VerificationFindings,
): Promise<number> {
  const users = await readUserAuditStates(db);
  await compareStates(db, findings, {
    kind: 'user',
    id: 0,
    stored: users,
    name: (id, state) => texts.user(shown(state.get('username') ?? id)),
  });
  const groups = await readGroupAuditStates(db);
  await compareStates(db, findings, {
    kind: 'group',
    id: 0,
    stored: groups,
    name: (id, state) => texts.group(shown(state.get('name') ?? id)),
  });
  await checkSignInNames(db, findings);
  let count = users.size + groups.size;
  for (const kind of ['archive', 'table'] as const) {
    const collections = await readDefinitionAuditStates(db, kind);
    await compareStates(db, findings, {
      kind: 'definition',
      id: DEFINITION_SUBJECT_IDS[kind],
      stored: collections,
      name: (id) => texts.definition({ kind, id }),
    });
    count += collections.size;
  }
  return count;
}

/** Objects of one kind. */
interface Subjects {
  readonly kind: 'user' | 'group' | 'definition';
  /** the id in the history, of definitions that of archives or of tables */
  readonly id: number;
  /** their present states, by id */
  readonly stored: ReadonlyMap<number, AuditState>;
  readonly name: (id: number, state: State) => string;
}

/** The sign-in uses the name in lower case, which is in no entry. */
async function checkSignInNames(db: Transaction, findings: VerificationFindings): Promise<void> {
  const users = await db.k.selectFrom('users').select(['username', 'username_key']).execute();
  for (const { username, username_key: key } of users) {
    if (key === nameKey(username)) continue;
    findings.addAbout(texts.user(shown(username)), texts.signInNameWrong(shown(key)));
  }
}

async function compareStates(
  db: Transaction,
  findings: VerificationFindings,
  { kind, id, stored, name }: Subjects,
): Promise<void> {
  const states = new Map<number, Map<string, unknown>>();
  for await (const page of iterateEntries(db, { kind, id })) {
    for (const entry of page) {
      const state = states.get(entry.rowId) ?? new Map<string, unknown>();
      states.set(entry.rowId, state);
      for (const problem of applyEntry(state, entry)) {
        const subject = texts.inHistory({ subject: name(entry.rowId, state), id: entry.id });
        findings.addAbout(subject, problem);
      }
    }
  }
  for (const [rowId, state] of states) {
    const now = stored.get(rowId);
    if (!now) {
      // A deleted group and a purged archive or table have no state left.
      if ([...state.values()].every((value) => value === null)) continue;
      findings.addAbout(name(rowId, state), texts.isMissing);
      continue;
    }
    for (const key of new Set([...state.keys(), ...Object.keys(now)])) {
      for (const [path, is, was] of differences(key, now[key] ?? null, state.get(key) ?? null)) {
        const problem = texts.differs({ name: path, stored: shown(is), replayed: shown(was) });
        findings.addAbout(name(rowId, state), problem);
      }
    }
  }
  for (const [rowId, now] of stored) {
    if (states.has(rowId)) continue;
    findings.addAbout(name(rowId, new Map(Object.entries(now))), texts.notInHistory);
  }
}

/** The differences between two plain JSON values, with both values. */
function differences(path: string, a: unknown, b: unknown): [string, unknown, unknown][] {
  if (isSameJson(a, b)) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return [[path, a, b]];
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) =>
    differences(`${path}.${key}`, one.get(key) ?? null, other.get(key) ?? null),
  );
}

/** Applies the next entry. @returns its contradictions to earlier ones */
function applyEntry(state: Map<string, unknown>, entry: EntryRecord): string[] {
  const problems: string[] = [];
  for (const { name, before, after } of readChanges(entry.changes)) {
    // The entry records only the change itself, or a purge.
    if (SECRETS.has(name) || name === PURGE_CHANGE) continue;
    const known = state.get(name) ?? null;
    if (!isSameJson(before, known)) {
      problems.push(texts.contradicts({ name, before: shown(before), known: shown(known) }));
    }
    state.set(name, after);
  }
  return problems;
}
