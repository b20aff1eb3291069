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
export const noSession = coded('people.noSession', 'There is no session of this id.');
export const seeAsSelf = coded('people.seeAsSelf', 'You see as yourself already.');
export const seeAsDisabled = coded(
  'people.seeAsDisabled',
  ({ username }: { username: string }) => `${username} is disabled, and sees nothing.`,
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
    `The user name ${username} belonged to a person who was deleted. It is not given to another one.`,
);
export const lastAdministrator = coded(
  'people.lastAdministrator',
  'This is the last active administrator. Make another user an administrator first.',
);
export const unknownArchive = coded(
  'people.unknownArchive',
  ({ name }: { name: string }) => `There is no archive ${name} to have rights on.`,
);
export const unknownTable = coded(
  'people.unknownTable',
  ({ name }: { name: string }) => `There is no table ${name} to have rights on.`,
);
export const rightTwice = coded(
  'people.rightTwice',
  ({ name }: { name: string }) => `${name} is named twice.`,
);
export const unknownField = coded(
  'people.unknownField',
  ({ name }: { name: string }) => `There is no field ${name}.`,
);
export const changedMeanwhile = coded(
  'people.changedMeanwhile',
  'It was changed in the meantime. Load it again.',
);
