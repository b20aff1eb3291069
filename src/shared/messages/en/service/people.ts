import { coded } from '#shared/messages/message.ts';

export const emailInvalid = 'It must be an e-mail address.';
export const noUser = coded(
  'people.noUser',
  ({ username }: { username: string }) => `There is no user ${username}.`,
);
export const noGroup = coded(
  'people.noGroup',
  ({ name }: { name: string }) => `There is no group ${name}.`,
);
export const noSession = coded('people.noSession', 'There is no session with this id.');
export const seeAsSelf = coded(
  'people.seeAsSelf',
  'You cannot see as yourself. Choose another user.',
);
export const seeAsDisabled = coded(
  'people.seeAsDisabled',
  ({ username }: { username: string }) =>
    `${username} is disabled. Enable the user first to see as this user.`,
);
export const noView = coded('people.noView', 'You do not see as another user.');
export const unknownGroup = coded(
  'people.unknownGroup',
  ({ name }: { name: string }) => `There is no group ${name}.`,
);
export const unknownMember = coded(
  'people.unknownMember',
  ({ username }: { username: string }) => `There is no user ${username}.`,
);
export const groupNameTaken = coded(
  'people.groupNameTaken',
  ({ name }: { name: string }) => `There is already a group named ${name}.`,
);
export const usernameReserved = coded(
  'people.usernameReserved',
  ({ username }: { username: string }) =>
    `The user name ${username} belonged to a deleted user and cannot be used again. Choose another one.`,
);
export const lastAdministrator = coded(
  'people.lastAdministrator',
  'This is the last active administrator. Make another user an administrator first.',
);
export const unknownArchive = coded(
  'people.unknownArchive',
  ({ name }: { name: string }) => `There is no archive ${name}, so no right can be given on it.`,
);
export const unknownTable = coded(
  'people.unknownTable',
  ({ name }: { name: string }) => `There is no table ${name}, so no right can be given on it.`,
);
export const rightTwice = coded(
  'people.rightTwice',
  ({ name }: { name: string }) => `${name} is named more than once.`,
);
export const unknownField = coded(
  'people.unknownField',
  ({ name }: { name: string }) => `There is no field ${name}.`,
);
export const changedMeanwhile = coded(
  'people.changedMeanwhile',
  'The user or group was changed meanwhile. Load it again.',
);
