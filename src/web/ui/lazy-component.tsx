import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useDialogKeyBuffer } from './dialog-key-buffer.ts';
import { LazyModuleError } from './lazy-module-error.tsx';
import { type LazyModule, lazyModule } from './lazy-module.ts';

let LibraryProvider: ComponentType<{ readonly children: ReactNode }> | undefined;
const loadLibrary = async () => {
  ({ LibraryProvider } = await import('./library-provider.tsx'));
};

/** Provides the component library, which is loaded with the first lazy module. */
export function LazyLibraryProvider({ children }: { readonly children: ReactNode }) {
  return LibraryProvider ? <LibraryProvider>{children}</LibraryProvider> : children;
}

const moduleLoaders: (() => Promise<unknown>)[] = [];
let isPrefetching = false;

/** A module that uses the component library. It is loaded on demand, or by `prefetchLazy`. */
export function lazyUiModule<T>(load: () => Promise<T>): LazyModule<T> {
  const module = lazyModule(async () => (await Promise.all([load(), loadLibrary()]))[0]);
  moduleLoaders.push(module.load);
  if (isPrefetching) void module.load().catch(() => undefined);
  return module;
}

/** Loads all lazy modules in sequence, in the order of their declaration; those declared later are loaded at once. */
export async function prefetchLazy(): Promise<void> {
  isPrefetching = true;
  for (const load of moduleLoaders) {
    // Leaves the network to what the user does meanwhile.
    await load().catch(() => undefined);
  }
}

/**
 * Loads a module while `isNeeded`. Not `React.lazy`: React shows a suspended component 300 ms later at the earliest,
 * even if the code is loaded by then (decision 0038).
 * @returns the module, or undefined while it is loading; and, after a failure, a function to retry
 */
export function useLazyModule<T>(
  module: LazyModule<T>,
  isNeeded: boolean,
): [T | undefined, (() => void) | null] {
  const [status, setStatus] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const loaded = module.loaded();
  const isMissing = isNeeded && loaded === undefined;
  const isLoading = isMissing && status === 'loading';
  useEffect(() => {
    if (!isLoading) return undefined;
    let isUnmounted = false;
    module.load().then(
      () => isUnmounted || setStatus('loaded'),
      () => isUnmounted || setStatus('failed'),
    );
    return () => {
      isUnmounted = true;
    };
  }, [module, isLoading]);
  return [loaded, isMissing && status === 'failed' ? () => setStatus('loading') : null];
}

/**
 * A component whose code is not loaded with its page. If loading fails, an error is shown in its place.
 * @param layout `pane`: it fills its container; `overlay`: it is a dialog
 * @param buffersKeys for a dialog: text typed until it has the focus is entered into it, not into the page
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  {
    layout = 'pane',
    buffersKeys = false,
  }: { readonly layout?: 'pane' | 'overlay'; readonly buffersKeys?: boolean } = {},
): ComponentType<Props> {
  const module = lazyUiModule(load);
  return function LazyComponent(props: Props) {
    const [Loaded, retry] = useLazyModule(module, true);
    useDialogKeyBuffer(buffersKeys && retry === null, Loaded !== undefined);
    if (Loaded) {
      return (
        <LazyLibraryProvider>
          <Loaded {...props} />
        </LazyLibraryProvider>
      );
    }
    return retry && <LazyModuleError layout={layout} onRetry={retry} />;
  };
}

/**
 * The same for a dialog that its page renders while it is closed. It is loaded when it is first opened.
 * @param buffersKeys text typed until it has the focus is entered into it, not into the page
 */
export function lazyDialog<
  Props extends { readonly opened: boolean; readonly onClose?: () => void },
>(load: () => Promise<ComponentType<Props>>, { buffersKeys = false } = {}): ComponentType<Props> {
  const module = lazyUiModule(load);
  return function LazyDialog(props: Props) {
    const [isMounted, setMounted] = useState(false);
    const [Loaded, retry] = useLazyModule(module, props.opened);
    const isRendered = Loaded !== undefined && (isMounted || props.opened);
    useDialogKeyBuffer(buffersKeys && props.opened && retry === null, isRendered, props.onClose);
    // It is rendered closed first, because it stores on opening where the focus returns to.
    useEffect(() => {
      if (isRendered) queueMicrotask(() => setMounted(true));
    }, [isRendered]);
    if (Loaded && isRendered) {
      return (
        <LazyLibraryProvider>
          <Loaded {...props} opened={props.opened && isMounted} />
        </LazyLibraryProvider>
      );
    }
    return retry && <LazyModuleError layout="overlay" onRetry={retry} />;
  };
}
