/* public/start.js requests a page's first data before any module is loaded. Each response is used once, and only
   within this time after the page was opened, in milliseconds: later it would be outdated. */
const MAX_AGE = 10_000;

/** The response to a request that was sent before the scripts were loaded; undefined: there is none. */
export function takePreloadedResponse(path: string): Promise<Response> | undefined {
  const answers: unknown = Reflect.get(globalThis, 'indexdeskEarlyAnswers');
  if (!(answers instanceof Map)) return undefined;
  const answer: unknown = answers.get(path);
  answers.delete(path);
  if (!(answer instanceof Promise) || performance.now() > MAX_AGE) return undefined;
  return answer.then((response: unknown) => {
    if (response instanceof Response) return response;
    throw new TypeError('This is no answer.');
  });
}

/** Called when another user signs in: earlier responses are not theirs. */
export function dropPreloadedResponses(): void {
  Reflect.deleteProperty(globalThis, 'indexdeskEarlyAnswers');
}

/** Whether the response to a preloaded request is a success; it remains available. */
export async function isPreloadedResponseValid(path: string): Promise<boolean> {
  const answers: unknown = Reflect.get(globalThis, 'indexdeskEarlyAnswers');
  const answer: unknown = answers instanceof Map ? answers.get(path) : undefined;
  if (!(answer instanceof Promise)) return false;
  const response: unknown = await answer.catch(() => undefined);
  return response instanceof Response && response.ok;
}
