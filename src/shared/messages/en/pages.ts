/** What is shown in place of a page that cannot be shown. */
import { rich } from '../rich.ts';

export const notShown = 'This page could not be shown';
/** the title of the window */
export const notFound = 'Not found';
export const nothingHereTitle = 'There is nothing at this address';
export const nothingHere = 'What it showed was deleted or renamed, or you have no right to see it.';
export const noPageTitle = 'There is no page at this address';
export const noPage = <Part>(path: Part) =>
  rich`${path} may have been mistyped, or what it showed was renamed.`;
export const goToOverview = 'Go to the overview';
