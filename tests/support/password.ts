/** The password of the users of tests and benchmarks. */
export const PASSWORD = 'correct horse battery';
