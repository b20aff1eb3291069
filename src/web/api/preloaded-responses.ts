/* public/start.js requests a page's first data before any module is loaded. Each response is used once, and only
   within this time after the page was opened, in milliseconds: later it would be outdated. */
const MAX_AGE = 10_000;

/** The response to a request that was sent before the scripts were loaded; undefined: there is none. */
export function takePreloadedResponse(path: string): Promise<Response> | undefined {
  const responses: unknown = Reflect.get(globalThis, 'indexdeskPreloadedResponses');
  if (!(responses instanceof Map)) return undefined;
  const preloaded: unknown = responses.get(path);
  responses.delete(path);
  if (!(preloaded instanceof Promise) || performance.now() > MAX_AGE) return undefined;
  return preloaded.then((response: unknown) => {
    if (response instanceof Response) return response;
    throw new TypeError('The preloaded value is not a Response.');
  });
}

/** Called when another user signs in: earlier responses are not theirs. */
export function dropPreloadedResponses(): void {
  Reflect.deleteProperty(globalThis, 'indexdeskPreloadedResponses');
}

/** Whether the response to a preloaded request is a success; it remains available. */
export async function isPreloadedResponseValid(path: string): Promise<boolean> {
  const responses: unknown = Reflect.get(globalThis, 'indexdeskPreloadedResponses');
  const preloaded: unknown = responses instanceof Map ? responses.get(path) : undefined;
  if (!(preloaded instanceof Promise)) return false;
  const response: unknown = await preloaded.catch(() => undefined);
  return response instanceof Response && response.ok;
}
