/** Changing one's own password. */
import { plural } from './language.ts';

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
export const charactersMissing = (count: number) =>
  plural(count, {
    one: '1 more character is needed.',
    other: `${count} more characters are needed.`,
  });
export const passwordFair = 'This password is accepted. A longer one is stronger.';
export const passwordStrong = 'This password is strong.';
export const newPasswordAgain = 'New password again';
export const showNewPasswordAgain = 'Show the new password again';
export const passwordChanged = 'The password is changed. Other sessions of yours have ended.';
