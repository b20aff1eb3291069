/** Questions before input that is not saved is lost. */

export const leaveTitle = 'Leave without saving?';
export const leaveText = 'The changes in this form are not saved.';
export const discardTitle = 'Discard unsaved changes?';
export const discard = 'Discard';
export const leaveWithoutSaving = 'Leave without saving';
