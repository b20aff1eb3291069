import { plural } from './language.ts';
import { formatCount } from '../format.ts';

/** The pages of administrators about users, groups, rights and sessions. */
export const users = 'Users';
export const groups = 'Groups';
export const rights = 'Rights';
export const sessions = 'Sessions';
export const usersNotRead = 'The users could not be read';
export const groupsNotRead = 'The groups could not be read';
export const sessionsNotRead = 'The sessions could not be read';
export const accessNotRead = 'The access rights could not be read';
export const searchUsers = 'Search users';
export const noUserFound = 'No user found';
export const noGroup = 'There is no group yet';
export const noGroupHint = 'A group gives the same rights to all its members.';
export const addUser = 'Add user';
export const addGroup = 'Add group';
export const chooseUser = 'Choose a user';
export const chooseGroup = 'Choose a group';
export const username = 'User name';
export const usernameHint =
  'The user types it to sign in. It stays in the history and cannot be changed.';
export const enterUsername = 'Enter a user name.';
export const displayName = 'Name';
export const email = 'E-mail';
export const role = 'Role';
export const roles = {
  administrator: 'Administrator: may do everything',
  clerk: 'Clerk: has rights by archive and table',
  reader: 'Reader: can only read',
};
export const active = 'Active';
export const activeHint = 'A user who is not active cannot sign in. Sessions end at once.';
export const notActive = 'Nothing now: this person is not active. Once active again:';
export const disabled = 'Disabled';
export const noGroups = 'There are no groups.';
export const save = 'Save';
export const userSaved = (name: string) => `${name} is saved.`;
export const userNotSaved = 'The user was not saved';
export const userNotAdded = 'The user was not added';
export const groupSaved = (name: string) => `${name} is saved.`;
export const groupNotSaved = 'The group was not saved';
export const groupNotAdded = 'The group was not added';
export const back = 'Back to the list';
export const resetPassword = 'One-time password';
export const resetPasswordTitle = (name: string) => `Give ${name} a one-time password?`;
export const resetPasswordText =
  'The current password becomes invalid, and all sessions of the user end. The user has to choose a new password at the next sign-in.';
export const passwordNotReset = 'The password was not reset';
export const oneTimePassword = 'One-time password';
export const oneTimePasswordOf = (name: string) => `One-time password of ${name}`;
export const oneTimePasswordHint = (end: string) =>
  `It is shown only now, and is valid until ${end}. Give it to the user, who has to choose another one at the first sign-in.`;
export const deleteItem = 'Delete';
export const deleteUserTitle = (name: string) => `Delete the user ${name}?`;
export const deleteUserText =
  'The user can no longer sign in. The history keeps the name, which is never given to another person.';
export const userNotDeleted = 'The user was not deleted';
export const deleteGroupTitle = (name: string) => `Delete the group ${name}?`;
export const deleteGroupText = 'Its members lose the rights that it gives.';
export const groupNotDeleted = 'The group was not deleted';
export const access = 'What this person can do';
export const noAccess = 'This person has no right on any archive or table.';
export const because = 'Because of';
export const restrictedFields = 'Restricted fields';
/** @param rights the right, then those of fields */
export const rightsOn = ({ name, rights }: { name: string; rights: string }) =>
  `${name}: ${rights}`;
export const fieldWithAccess = ({ name, access }: { name: string; access: string }) =>
  `${name}: ${access}`;
export const groupName = 'Name';
export const groupNameHint = 'Letters, digits and _, such as INVOICES_DE. It cannot be changed.';
export const enterGroupName = 'Enter a name.';
export const label = 'Label';
export const members = 'Members';
export const membersOf = (count: number) =>
  plural(count, { one: '1 member', other: `${formatCount(count)} members` });
export const collection = 'Archive or table';
export const right = 'Right';
export const rightOn = (name: string) => `Right on ${name}`;
export const rightOfOn = ({ name, of }: { name: string; of: string }) =>
  `Right of ${of} on ${name}`;
export const rightTexts = { none: 'None', read: 'Read', write: 'Write', manage: 'Manage' };
export const accessTexts = { hidden: 'Hidden', read: 'Read', write: 'Write' };
export const asRight = 'Same as the right';
export const fieldsButton = 'Fields';
export const fieldsOf = (name: string) => `Rights on the fields of ${name}`;
export const accessOfField = (name: string) => `Access to ${name}`;
export const withFields = 'some fields differ';
export const keyword = (name: string) => `${name} (keywords)`;
export const rightNotChanged = ({ of, on }: { of: string; on: string }) =>
  `The right of ${of} on ${on} was not changed`;
export const rightsOfMany =
  'A user has the highest of these rights: the user’s own right and the rights of the user’s groups. Administrators are not listed: they may do everything.';
export const onlyAdministrators = 'There are only administrators';
export const onlyAdministratorsHint =
  'Administrators may do everything. Add a user or a group to give rights on archives and tables.';
export const nothingToGrant = 'There is no archive or table yet';
export const nothingToGrantHint = 'Rights are given on archives and tables. Create one first.';
export const toArchivesAndTables = 'Archives and tables';
export const rightsHeader = 'User or group';
export const user = 'User';
export const since = 'Signed in';
export const lastSeen = 'Last seen';
export const address = 'Address';
export const client = 'Program';
export const end = 'End';
export const endOf = (name: string) => `End the session of ${name}`;
export const sessionEnded = 'The session has ended.';
export const sessionNotEnded = (failure: string) => `The session has not ended. ${failure}`;
export const ownSession = 'This session';
export const seeAs = 'See as';
export const notSeenAs = (failure: string) => `The view as this user was not opened. ${failure}`;
export const locks = 'Locks';
export const rightsNotRead = 'The rights could not be read';
export const collectionsNotRead = 'The archives and tables could not be read';
export const fieldsNotRead = 'The fields could not be read';
export const locksNotRead = 'The locks could not be read';
export const noLocks = 'No document is locked.';
export const lockedDocument = 'Document';
export const lockedBy = 'Locked by';
export const lockedSince = 'Since';
export const documentOf = ({ archive, id }: { archive: string; id: string }) => `${archive} ${id}`;
export const release = 'Release';
export const releaseOf = ({ document, by }: { document: string; by: string }) =>
  `Release the lock of ${by} on ${document}`;
export const lockReleased = 'The lock is released.';
export const lockNotReleased = (failure: string) => `The lock is not released. ${failure}`;
export const identity = 'Account at the provider';
export const identityNotRead = 'The account at the provider could not be read';
export const identityNotChanged = (reason: string) => `The link was not changed. ${reason}`;
export const linkedWith = ({ provider, name }: { provider: string; name: string }) =>
  `Signs in with ${provider} as ${name}.`;
export const wantsToSignIn = ({ provider, name }: { provider: string; name: string }) =>
  `${name} of ${provider} has tried to sign in. Link the account only if it is this user.`;
export const subjectOf = (subject: string) => `Subject ${subject}`;
export const linkIdentity = 'Link';
export const unlinkIdentity = 'Remove the link';
export const changedWhileEditing = 'Somebody else changed this while you were editing it.';
