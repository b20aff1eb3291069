/** A module that is not part of the first scripts. */
export interface LazyModule<T> {
  /** undefined: not loaded */
  readonly loaded: () => T | undefined;
  /** loads it once; after a failure the next call retries */
  readonly load: () => Promise<T>;
}

export function lazyModule<T>(importModule: () => Promise<T>): LazyModule<T> {
  let loaded: { readonly module: T } | undefined;
  let loading: Promise<T> | undefined;
  const load = () =>
    (loading ??= importModule().then(
      (module) => {
        loaded = { module };
        return module;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));
  return { loaded: () => loaded?.module, load };
}
