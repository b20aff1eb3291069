import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useHoldKeys } from './hold-keys.ts';
import { type Part, part } from './lazy-module.ts';
import { LazyModuleError } from './lazy-module-error.tsx';

let Library: ComponentType<{ readonly children: ReactNode }> | undefined;
const fetchLibrary = async () => {
  ({ Library } = await import('./library.tsx'));
};

/** Stands around what is made of the component library: its provider, which comes with the first part that does. */
export function InLibrary({ children }: { readonly children: ReactNode }) {
  return Library ? <Library>{children}</Library> : children;
}

const parts: (() => Promise<unknown>)[] = [];
let ahead = false;

/** Names what is fetched when the page stands (`prefetchLazy`), or when it is first needed. */
export function lazyPart<T>(load: () => Promise<T>): Part<T> {
  const one = part(async () => (await Promise.all([load(), fetchLibrary()]))[0]);
  parts.push(one.fetch);
  if (ahead) void one.fetch().catch(() => undefined);
  return one;
}

/** Fetches what was left out, one after the other and in the order in which it was named; what is named later, at once. */
export async function prefetchLazy(): Promise<void> {
  ahead = true;
  for (const fetch of parts) {
    // oxlint-disable-next-line no-await-in-loop -- what is pressed meanwhile is to have the line
    await fetch().catch(() => undefined);
  }
}

/** A part that is needed now if `wanted`: itself, or undefined while it comes; then, where it did not come, how to ask again. */
export function useLazyModule<T>(
  part: Part<T>,
  wanted: boolean,
): [T | undefined, (() => void) | null] {
  const [state, setState] = useState<'coming' | 'here' | 'failed'>('coming');
  const here = part.here();
  const coming = wanted && here === undefined && state === 'coming';
  useEffect(() => {
    if (!coming) return undefined;
    let left = false;
    part.fetch().then(
      () => left || setState('here'),
      () => left || setState('failed'),
    );
    return () => {
      left = true;
    };
  }, [part, coming]);
  const failed = wanted && here === undefined && state === 'failed';
  return [here, failed ? () => setState('coming') : null];
}

/**
 * A component whose code does not come with its page. Where it cannot be fetched this is said in its place, and what
 * else is on the page stays.
 * @param place `pane`: it fills the place where it stands; `over`: it is a dialog and stands in none
 * @param holdsKeys for a dialog: what is typed until it has the cursor goes into it, or nowhere, and not to the page
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { place, holdsKeys = false }: { readonly place: 'pane' | 'over'; readonly holdsKeys?: boolean },
): ComponentType<Props> {
  const part = lazyPart(load);
  return function Later(props: Props) {
    const [Loaded, again] = useLazyModule(part, true);
    useHoldKeys(holdsKeys && again === null, Loaded !== undefined);
    if (Loaded) {
      return (
        <InLibrary>
          <Loaded {...props} />
        </InLibrary>
      );
    }
    return again && <LazyModuleError place={place} onAgain={again} />;
  };
}

/**
 * The same for a dialog that stands closed on its page: it is fetched when it is first opened, if not before.
 * @param holdsKeys whether people type on at once: what they type until it has the cursor goes into it, or nowhere,
 *   and not to the page
 */
export function lazyDialog<
  Props extends { readonly opened: boolean; readonly onClose?: () => void },
>(load: () => Promise<ComponentType<Props>>, { holdsKeys = false } = {}): ComponentType<Props> {
  const part = lazyPart(load);
  return function LaterDialog(props: Props) {
    const [begun, setBegun] = useState(false);
    const [Loaded, again] = useLazyModule(part, props.opened);
    const stands = Loaded !== undefined && (begun || props.opened);
    useHoldKeys(holdsKeys && props.opened && again === null, stands, props.onClose);
    // It is closed for a moment, as it looks where the cursor is to return to when it opens.
    useEffect(() => {
      if (stands) queueMicrotask(() => setBegun(true));
    }, [stands]);
    if (Loaded && stands) {
      return (
        <InLibrary>
          <Loaded {...props} opened={props.opened && begun} />
        </InLibrary>
      );
    }
    return again && <LazyModuleError place="over" onAgain={again} />;
  };
}
