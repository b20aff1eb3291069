import * as texts from '#messages/people.ts';
import { FIELD_ACCESS_LEVELS, RIGHTS, ROLES } from '#shared/rules/rights.ts';
import { optionsOf } from '#web/ui/inputs/select.tsx';

export const RIGHT_OPTIONS = optionsOf(RIGHTS, texts.rightTexts);

export const FIELD_ACCESS_OPTIONS = optionsOf(['right', ...FIELD_ACCESS_LEVELS], {
  right: texts.asRight,
  ...texts.accessTexts,
});

export const ROLE_OPTIONS = optionsOf(ROLES, texts.roles);
