/**
 * The schemas of the service's answers, loaded with the first answer that is read: the sign-in
 * screen stands without them. Use as `parse: async (data) => (await answers()).indexAnswer.parse(data)`.
 */
export const answers = () => import('./answer-schemas.ts');

/** Those of answers to administrators. */
export const administrationAnswers = () => import('./administration-schemas.ts');

/** Those of answers about bulk edits, imports and sums, which no page begins with. */
export const taskAnswers = () => import('./task-schemas.ts');
