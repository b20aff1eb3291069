/*
 * public/start.js asks for what a page begins with before any module has come. Each answer is taken once, and
 * only while the page is being opened: later it would be an old one.
 */
const OPENING = 10_000;

/** The answer to a reading that was begun before the scripts came; undefined: there is none. */
export function takePreloadedResponse(path: string): Promise<Response> | undefined {
  const answers: unknown = Reflect.get(globalThis, 'indexdeskEarlyAnswers');
  if (!(answers instanceof Map)) return undefined;
  const answer: unknown = answers.get(path);
  answers.delete(path);
  if (!(answer instanceof Promise) || performance.now() > OPENING) return undefined;
  return answer.then((response: unknown) => {
    if (response instanceof Response) return response;
    throw new TypeError('This is no answer.');
  });
}

/** Somebody else is signed in from now on: what was answered before is not theirs. */
export function dropPreloadedResponses(): void {
  Reflect.deleteProperty(globalThis, 'indexdeskEarlyAnswers');
}

/** Whether the answer to a reading that was begun early says that it is allowed; it stays to be taken. */
export async function isPreloadedResponseValid(path: string): Promise<boolean> {
  const answers: unknown = Reflect.get(globalThis, 'indexdeskEarlyAnswers');
  const answer: unknown = answers instanceof Map ? answers.get(path) : undefined;
  if (!(answer instanceof Promise)) return false;
  const response: unknown = await answer.catch(() => undefined);
  return response instanceof Response && response.ok;
}
