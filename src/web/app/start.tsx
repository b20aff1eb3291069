import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import * as texts from '#messages/pages.ts';
import { answers } from '#web/api/load-answer-schemas.ts';
import { parseSearch } from '#web/api/address-search.ts';
import { CallError } from '#web/api/failure.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { isPreloadedResponseValid } from '#web/api/preloaded-responses.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { type OwnSession, sessionQuery } from '#web/api/session.queries.ts';
import { applyFormatsOf } from '#web/ui/format-locale.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { AppShell } from './app-shell.tsx';
import { PagePending } from './page-pending.tsx';
import { ownPath, readNext, signInAddress } from './sign-in-address.ts';
import { Unframed } from './unframed.tsx';

/** How long nothing is shown while the session is read, in milliseconds. */
const PENDING_AFTER = 250;

/** Shows the web admin in an element: the sign-in screen, or the pages of the signed-in user. */
export function startWebAdmin(element: Element): void {
  const queryClient = createQueryClient();
  const root = createRoot(element, {
    // A failed call is not a defect of the page: its error page shows everything.
    onCaughtError: (error: unknown) => {
      if (!(error instanceof CallError)) reportError(error);
    },
  });
  const render = (page: ReactNode) =>
    root.render(
      <StrictMode>
        <AppShell queryClient={queryClient}>{page}</AppShell>
      </StrictMode>,
    );

  async function start(): Promise<void> {
    const timer = setTimeout(
      () =>
        render(
          <Unframed>
            <PagePending />
          </Unframed>,
        ),
      PENDING_AFTER,
    );
    try {
      const session = await queryClient.query({ ...sessionQuery, staleTime: 'static' });
      if (session === null) await showSignIn();
      else if (session.passwordChangeRequired || session.secondFactorEnrolmentRequired) {
        await showFirstPage(session);
      } else await showPages(session);
    } catch (error) {
      render(
        <Unframed>
          <ErrorPanel error={error} title={texts.notShown} onRetry={() => void start()} />
        </Unframed>,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reads the session again after the user has done what was required first. */
  function restart(): void {
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
    void start();
  }

  async function showPages(session: OwnSession): Promise<void> {
    applyFormatsOf(session.username);
    const [{ App }, { createAppRouter }] = await Promise.all(pages());
    render(<App router={createAppRouter(queryClient, session)} />);
  }

  /** What a user must do before anything else. */
  async function showFirstPage(session: OwnSession): Promise<void> {
    const { PasswordChangePage, EnrolmentPage } = await import('./first-pages.tsx');
    const FirstPage = session.passwordChangeRequired ? PasswordChangePage : EnrolmentPage;
    render(<FirstPage session={session} onDone={restart} />);
  }

  /** Signing in works without the router, so that its first load stays small. */
  async function showSignIn(): Promise<void> {
    const { SignInScreen } = await import('#web/features/sign-in/sign-in-screen.tsx');
    const { pathname, search, hash } = location;
    if (!/^\/sign-in\/?$/i.test(pathname)) {
      history.replaceState(null, '', signInAddress(pathname + search + hash));
    }
    const next = ownPath(readNext(parseSearch(location.search)).next);
    const onSignedIn = () => {
      history.replaceState(null, '', next);
      void start();
    };
    render(
      <Unframed>
        <SignInScreen next={next} onSignedIn={onSignedIn} />
      </Unframed>,
    );
  }

  void start();
  void prefetchPages();
}

/** The code of everything that a signed-in user sees. */
const pages = () => [import('./app.tsx'), import('./router.ts')] as const;

/** Loads the code of pages while the session of a signed-in user is still being read. */
async function prefetchPages(): Promise<void> {
  if (!(await isPreloadedResponseValid(apiPaths.sessions()))) return;
  // A module that cannot be loaded is requested again where it is needed, and its error is shown there.
  await Promise.allSettled([answers(), ...pages()]);
}
