import * as texts from '#messages/people.ts';
import { FIELD_ACCESS_TEXTS, RIGHT_TEXTS } from '#web/fields/history/setting-texts.ts';
import { optionsOf } from '#web/ui/inputs/select.tsx';

export const RIGHT_OPTIONS = optionsOf(['none', 'read', 'write', 'manage'], RIGHT_TEXTS);

export const FIELD_ACCESS_OPTIONS = optionsOf(['right', 'hidden', 'read', 'write'], {
  right: texts.asRight,
  ...FIELD_ACCESS_TEXTS,
});

export const ROLE_OPTIONS = optionsOf(['administrator', 'clerk', 'reader'], {
  administrator: texts.administrator,
  clerk: texts.clerk,
  reader: texts.reader,
});
