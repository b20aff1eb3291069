import * as texts from '#messages/audit.ts';
import type { AuditEntry } from '#shared/contract/audit.ts';
import type { AuditNames } from './audit-names.ts';
import { changeLabel, collectionOf, definitionChangeLabels } from './change-label.ts';

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

type Changes = AuditEntry['changes'];

/** A changed property as text, as it is now, or else as it was; null: it has neither. */
function textOf(changes: Changes, property: string): string | null {
  const change = changes.find(({ name }) => name === property);
  const value = change?.after ?? change?.before;
  return typeof value === 'string' ? value : null;
}

/** The file and the finding of a refused file; null: another refusal. */
function malwareOf(changes: Changes): { file: string; finding: string } | null {
  const [file, finding] = [textOf(changes, 'file'), textOf(changes, 'finding')];
  return file !== null && finding !== null ? { file, finding } : null;
}

function sessionText(action: string, changes: Changes): string {
  if (action === 'create') return texts.signedIn;
  if (action === 'delete') return texts.sessionEnded;
  const seesAs = changes.find(({ name }) => name === 'seesAs');
  return typeof seesAs?.after === 'string' ? texts.seesAs : texts.seesAsNoMore;
}

/** A description of the subject of an action. */
export function subjectText(entry: AuditEntry, names: AuditNames): string {
  const { text, number } = subjectOf(entry, names);
  return number === '' ? text : `${text} ${number}`;
}

/** As `subjectText`, with the number of a record apart, so that a long name does not hide it; '' for none. */
export function subjectOf(entry: AuditEntry, names: AuditNames): { text: string; number: string } {
  const isRecord = entry.subject === 'archive' || entry.subject === 'table';
  return { text: nameOfSubject(entry, names), number: isRecord ? (entry.id ?? '') : '' };
}

function nameOfSubject(entry: AuditEntry, names: AuditNames): string {
  const { subject, id, archive, table, changes } = entry;
  const collection = collectionOf(entry, names)?.label ?? archive ?? table ?? '';
  const person = (username: string) => names.people.get(username) ?? username;
  switch (subject) {
    case 'archive':
    case 'table':
      return collection;
    case 'definition':
      return collection === '' ? texts.definition : texts.definitionOf(collection);
    case 'user':
      return texts.userOf(person(id ?? ''));
    case 'group':
      return texts.groupOf(names.groups.get(id ?? '') ?? id ?? '');
    case 'session':
      // Whom an administrator began or ended to see as, else whose session it is.
      return person(textOf(changes, 'seesAs') ?? (id === entry.user ? '' : (id ?? '')));
    case 'token':
      // As its owner called it.
      return textOf(changes, 'name') ?? '';
    case 'system':
      return texts.installation;
    case 'refused': {
      const attempts = changes.find(({ name }) => name === 'attempts')?.after;
      return texts.times(Number(attempts ?? 1));
    }
  }
  return subject satisfies never;
}

/** What changed, if it adds to the action. */
export function detailText(entry: AuditEntry, names: AuditNames): string {
  const { subject, action, address, changes } = entry;
  // All of it is new, as the action says.
  if (subject === 'definition' && action === 'create') return '';
  const malware = subject === 'refused' ? malwareOf(changes) : null;
  if (malware) return texts.malwareOf(malware);
  if (subject === 'session' || subject === 'token' || subject === 'refused') return address ?? '';
  const labels = changes.flatMap((change) =>
    subject === 'definition' && change.name === 'definition'
      ? definitionChangeLabels(entry, change, names)
      : changeLabel(entry, change.name, names),
  );
  return [...new Set(labels)].join(', ');
}
