/** Side bar, palette, user menu. */

const colourSchemes = { light: 'light', dark: 'dark', auto: 'as the system' };
type ColourScheme = keyof typeof colourSchemes;
export const coloursLabel = (of: { scheme: ColourScheme; next: ColourScheme }) =>
  `Colours: ${colourSchemes[of.scheme]}. Change to ${colourSchemes[of.next]}`;
export const coloursLight = 'Colours: light';
export const coloursDark = 'Colours: dark';
export const coloursAsSystem = 'Colours: as the system';
export const signOut = 'Sign out';
export const skipToPage = 'Skip to the page';
export const sideBar = 'Side bar';
export const archivesAndTables = 'Archives and tables';
export const indexdesk = 'Indexdesk';
export const search = 'Search';
export const offline = 'Offline, reconnecting';
export const offlineHint = 'What others change is shown as soon as the connection is back.';
export const stillSignedIn = (failure: string) => `You are still signed in. ${failure}`;
export const goToButton = 'Go to…';
export const archives = 'Archives';
export const tables = 'Tables';
export const account = 'Account';
export const changePasswordItem = 'Change password…';
export const overview = 'Overview';
export const roles = { administrator: 'Administrator', clerk: 'Clerk', reader: 'Reader' };
