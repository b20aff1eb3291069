import {
  Component,
  createContext,
  type ReactNode,
  Suspense,
  use,
  useSyncExternalStore,
} from 'react';
import { PagePending } from './page-pending.tsx';
import { FrameLayout, PageOf } from './pages.tsx';
import { ErrorPage } from './pages/error-page.tsx';
import type { AppRouter, Shown } from './router.ts';
import classes from './outlet.module.css';

const Given = createContext<AppRouter | null>(null);

function useRouter(): AppRouter {
  const router = use(Given);
  if (!router) throw new Error('useRouter is for components within Outlet.');
  return router;
}

/** Something of what is shown that stays the same object; what asks for it is drawn when it changes. */
function useShown<T>(select: (shown: Shown | null) => T): T {
  const { shown } = useRouter();
  return useSyncExternalStore(shown.subscribe, () => select(shown.get()));
}

/** What is shown, with the frame around it where somebody is signed in. */
export function Outlet({ router }: { readonly router: AppRouter }) {
  return (
    <Given value={router}>
      <RouteBoundary>
        <Framed />
      </RouteBoundary>
    </Given>
  );
}

/** Drawn anew with who is signed in, and not with each change of an address. */
function Framed() {
  const session = useShown((shown) => shown?.session ?? null);
  // The document in a window of its own has the whole window.
  const alone = useShown((shown) => shown?.here.address.page === 'document');
  if (!session) {
    return (
      <main className={classes.page}>
        <Inner />
      </main>
    );
  }
  return (
    <FrameLayout session={session} alone={alone}>
      <RouteBoundary>
        <Inner />
      </RouteBoundary>
    </FrameLayout>
  );
}

function Inner() {
  const shown = useShown((all) => all);
  if (shown === null) return null;
  if (shown.is === 'coming') return <PagePending />;
  if (shown.is === 'page') return <PageOf address={shown.here.address} />;
  throw shown.is.error;
}

/** Says in the place of a page what keeps it from being shown, until something else is to be shown. */
function RouteBoundary({ children }: { readonly children: ReactNode }) {
  const { again } = useRouter();
  const shown = useShown((all) => all);
  return (
    <Suspense fallback={<PagePending />}>
      <ErrorBoundary of={shown} onAgain={again}>
        {children}
      </ErrorBoundary>
    </Suspense>
  );
}

interface ErrorBoundaryProps {
  /** what is shown; what was thrown is forgotten with the next */
  readonly of: unknown;
  readonly onAgain: () => void;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly of: unknown;
  readonly thrown: { readonly error: unknown } | null;
}

class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { of: this.props.of, thrown: null };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { thrown: { error } };
  }

  static getDerivedStateFromProps(
    { of }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return of === state.of ? null : { of, thrown: null };
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    return thrown ? (
      <ErrorPage error={thrown.error} onAgain={this.props.onAgain} />
    ) : (
      this.props.children
    );
  }
}
