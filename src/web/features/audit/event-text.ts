import * as texts from '#messages/audit.ts';
import type { AuditEntry } from '#shared/contract/audit.ts';
import type { AuditNames } from './audit-names.ts';
import { changeLabel, collectionOf } from './change-label.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  create: texts.created,
  load: texts.loaded,
  change: texts.changed,
  delete: texts.deleted,
  lock: texts.locked,
  restore: texts.restored,
  purge: texts.purged,
};

const TOKEN_ACTIONS: Readonly<Record<string, string>> = {
  create: texts.tokenMade,
  change: texts.tokenUsedFirst,
  delete: texts.tokenRevoked,
};

/** A short description of the action. */
export function actionText({ subject, action, call, changes }: AuditEntry): string {
  if (subject === 'session') return sessionText(action, changes);
  if (subject === 'token') return TOKEN_ACTIONS[action] ?? action;
  if (subject === 'refused') {
    if (malwareOf(changes)) return texts.malwareRefused;
    return call === 'POST application/sessions' ? texts.signInRefused : texts.callRefused;
  }
  return ACTIONS[action] ?? action;
}

/** The file and the finding of a refused file; null: another refusal. */
function malwareOf(changes: AuditEntry['changes']): { file: string; finding: string } | null {
  const [file, finding] = ['file', 'finding'].map(
    (wanted) => changes.find(({ name }) => name === wanted)?.after,
  );
  return typeof file === 'string' && typeof finding === 'string' ? { file, finding } : null;
}

function sessionText(action: string, changes: AuditEntry['changes']): string {
  if (action === 'create') return texts.signedIn;
  if (action === 'delete') return texts.sessionEnded;
  const seesAs = changes.find(({ name }) => name === 'seesAs');
  return typeof seesAs?.after === 'string' ? texts.seesAs : texts.seesAsNoMore;
}

/** Whom an administrator began or ended to see as; null: the session was changed otherwise. */
function seenAs(changes: AuditEntry['changes']): string | null {
  const seesAs = changes.find(({ name }) => name === 'seesAs');
  const name = seesAs?.after ?? seesAs?.before;
  return typeof name === 'string' ? name : null;
}

/** A description of the subject of an action. */
export function subjectText(entry: AuditEntry, names: AuditNames): string {
  const { subject, id, archive, table, changes } = entry;
  const collection = collectionOf(entry, names)?.label ?? archive ?? table ?? '';
  const person = (username: string) => names.people.get(username) ?? username;
  switch (subject) {
    case 'archive':
    case 'table':
      return `${collection} ${id ?? ''}`;
    case 'definition':
      return collection === '' ? texts.definition : texts.definitionOf(collection);
    case 'user':
      return texts.userOf(person(id ?? ''));
    case 'group':
      return texts.groupOf(names.groups.get(id ?? '') ?? id ?? '');
    case 'session':
      return person(seenAs(changes) ?? (id === entry.user ? '' : (id ?? '')));
    case 'token':
      return nameOfToken(entry);
    case 'system':
      return texts.installation;
    case 'refused': {
      const attempts = changes.find(({ name }) => name === 'attempts')?.after;
      return texts.times(Number(attempts ?? 1));
    }
  }
  return subject satisfies never;
}

/** The name that the owner gave to a token. */
function nameOfToken({ changes }: AuditEntry): string {
  const named = changes.find(({ name }) => name === 'name');
  const name = named?.after ?? named?.before;
  return typeof name === 'string' ? name : '';
}

/** What changed, if it adds to the action. */
export function detailText(entry: AuditEntry, names: AuditNames): string {
  const { subject, address, changes } = entry;
  const malware = subject === 'refused' ? malwareOf(changes) : null;
  if (malware) return texts.malwareOf(malware);
  if (subject === 'session' || subject === 'token' || subject === 'refused') return address ?? '';
  return changes.map(({ name }) => changeLabel(entry, name, names)).join(', ');
}
