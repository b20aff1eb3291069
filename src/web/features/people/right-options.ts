import * as texts from '#messages/people.ts';
import { optionsOf } from '#web/ui/inputs/select.tsx';

/** The names of the rights on an archive or table. */
export const RIGHT_TEXTS = {
  none: texts.none,
  read: texts.read,
  write: texts.write,
  manage: texts.manage,
} as const;
export const RIGHT_OPTIONS = optionsOf(['none', 'read', 'write', 'manage'], RIGHT_TEXTS);

/** The names of the access to a field. */
export const FIELD_ACCESS_TEXTS = {
  right: texts.asRight,
  hidden: texts.hidden,
  read: texts.read,
  write: texts.write,
} as const;
export const FIELD_ACCESS_OPTIONS = optionsOf(
  ['right', 'hidden', 'read', 'write'],
  FIELD_ACCESS_TEXTS,
);

export const ROLE_OPTIONS = optionsOf(['administrator', 'clerk', 'reader'], {
  administrator: texts.administrator,
  clerk: texts.clerk,
  reader: texts.reader,
});
export const ROLE_TEXTS = {
  administrator: texts.roleAdministrator,
  clerk: texts.roleClerk,
  reader: texts.roleReader,
} as const;
