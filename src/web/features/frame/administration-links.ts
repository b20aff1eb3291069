import * as texts from '#messages/administration.ts';
import {
  ColumnsIcon,
  DatetimeTypeIcon,
  DocumentIcon,
  KeyIcon,
  PeopleIcon,
  ScreenIcon,
  SettingsIcon,
  SpreadsheetIcon,
  UserIcon,
} from '#web/ui/icons.tsx';

/**
 * The pages of administrators, in the order of the side bar. A new one also needs a route
 * (`app/administration-routes.tsx`).
 */
export const ADMINISTRATION_LINKS = [
  { to: '/administration/definitions', name: texts.definitions, Icon: ColumnsIcon },
  { to: '/administration/users', name: texts.users, Icon: UserIcon },
  { to: '/administration/groups', name: texts.groups, Icon: PeopleIcon },
  { to: '/administration/rights', name: texts.rights, Icon: KeyIcon },
  { to: '/administration/sessions', name: texts.sessions, Icon: ScreenIcon },
  { to: '/administration/load', name: texts.loadData, Icon: SpreadsheetIcon },
  { to: '/administration/load-documents', name: texts.loadDocuments, Icon: DocumentIcon },
  { to: '/administration/audit', name: texts.audit, Icon: DatetimeTypeIcon },
  { to: '/administration/system', name: texts.system, Icon: SettingsIcon },
] as const;

export type AdministrationLink = (typeof ADMINISTRATION_LINKS)[number];
