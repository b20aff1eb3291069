/** Something that does not come with the first scripts. */
export interface Part<T> {
  /** undefined: it has not come yet */
  readonly here: () => T | undefined;
  /** fetches it, if it is not there or on its way; where it cannot be fetched, the next time anew */
  readonly fetch: () => Promise<T>;
}

export function part<T>(load: () => Promise<T>): Part<T> {
  let loaded: { readonly part: T } | undefined;
  let loading: Promise<T> | undefined;
  const fetch = () =>
    (loading ??= load().then(
      (part) => {
        loaded = { part };
        return part;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));
  return { here: () => loaded?.part, fetch };
}
