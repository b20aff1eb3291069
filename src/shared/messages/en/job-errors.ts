const ERRORS: Readonly<Record<string, string>> = {
  definition_conflict: 'stored values do not fit',
  conflict: 'another archive or table has its name',
  validation_failed: 'a check does not fit the new definition',
  changed_meanwhile: 'it was changed meanwhile',
  internal: 'an internal error occurred, which is in the log',
};

/** Why a background job on a definition failed, as the end of a sentence. @param error the code of the job */
export const jobErrorText = (error: string) => ERRORS[error] ?? error;
