/**
 * The schemas of the service's answers, loaded with the first answer that is parsed, so that the sign-in screen does
 * not wait for them. Use as `parse: async (data) => (await answers()).indexAnswer.parse(data)`.
 */
export const answers = () => import('./answer-schemas.ts');

/** The schemas of answers to administrators. */
export const administrationAnswers = () => import('./administration-schemas.ts');

/** The schemas of answers about bulk edits, imports and sums, which no first load needs. */
export const taskAnswers = () => import('./task-schemas.ts');

/** The item of an answer about one object. @throws {Error} if it holds none */
export function onlyItem<Item>([item]: readonly Item[]): Item {
  if (item === undefined) throw new Error('The answer holds no item.');
  return item;
}
