/** Side bar, palette, user menu, password dialog. */
export const coloursLabel = ({ name, next }: { name: string; next: string }) =>
  `Colours: ${name}. Change to ${next}`;
export const coloursLight = 'Colours: light';
export const coloursDark = 'Colours: dark';
export const coloursAsSystem = 'Colours: as the system';
export const signOut = 'Sign out';
export const resumeQueue = (queue: string) => `Resume: ${queue}`;
export const skipToPage = 'Skip to the page';
export const sideBar = 'Side bar';
export const archivesAndTables = 'Archives and tables';
export const indexdesk = 'Indexdesk';
export const search = 'Search';
export const offline = 'Offline, reconnecting';
export const offlineHint = 'What others change is shown as soon as the connection is back.';
export const goTo = 'Go to';
export const goToPlaceholder = 'Archive, table, view, value, command or revision number';
export const destinations = 'Destinations';
export const noResults = 'No results';
export const openRevision = ({ revisionId, of }: { revisionId: string; of: string }) =>
  `Open revision ${revisionId} in ${of}`;
export const changePassword = 'Change password';
export const enterCurrentPassword = 'Enter your current password.';
export const enterNewPassword = 'Enter a new password.';
export const passwordsDiffer = 'The two new passwords differ.';
export const passwordNotChanged = 'The password was not changed';
export const currentPassword = 'Current password';
export const showCurrentPassword = 'Show the current password';
export const newPassword = 'New password';
export const showNewPassword = 'Show the new password';
export const passwordHint = 'At least 10 characters.';
export const newPasswordAgain = 'New password again';
export const showNewPasswordAgain = 'Show the new password again';
export const stillSignedIn = (failure: string) => `You are still signed in. ${failure}`;
export const passwordChanged = 'The password is changed. Other sessions of yours have ended.';
export const goToButton = 'Go to…';
export const archives = 'Archives';
export const tables = 'Tables';
export const changePasswordItem = 'Change password…';
