import * as texts from '#messages/administration.ts';

/**
 * The pages of administrators, in the order of the side bar. A new one also needs a route
 * (`app/administration-routes.tsx`).
 */
export const ADMINISTRATION_LINKS = [
  { to: '/administration/definitions', name: texts.definitions },
  { to: '/administration/users', name: texts.users },
  { to: '/administration/groups', name: texts.groups },
  { to: '/administration/rights', name: texts.rights },
  { to: '/administration/sessions', name: texts.sessions },
  { to: '/administration/load', name: texts.loadData },
  { to: '/administration/load-documents', name: texts.loadDocuments },
  { to: '/administration/audit', name: texts.audit },
  { to: '/administration/system', name: texts.system },
] as const;

export type AdministrationLink = (typeof ADMINISTRATION_LINKS)[number];
