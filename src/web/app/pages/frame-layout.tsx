import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import '../mantine-frame.css';
import { forgetSession } from '#web/api/session.queries.ts';
import { Frame } from '#web/features/frame/frame.tsx';
import { SignInAgain } from '#web/features/sign-in/sign-in-again.tsx';
import { Notices } from '#web/ui/notices.tsx';
import { theme } from '../theme.ts';

const colorSchemes = localStorageColorSchemeManager({ key: 'indexdesk-color-scheme' });

/**
 * The frame around every page of a signed-in user. The component library starts here: the sign-in
 * screen stands without it.
 */
export function FrameLayout() {
  const router = useRouter();
  const client = useQueryClient();
  const leave = () => {
    forgetSession(client);
    void router.navigate({ to: '/sign-in', search: { next: router.state.location.href } });
  };
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      // All variables are in tokens.css: a style tag made at run time would break the CSP.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Frame onSignedOut={() => void router.navigate({ to: '/sign-in' })}>
        <Outlet />
      </Frame>
      <SignInAgain onGiveUp={leave} />
      <Notices />
    </MantineProvider>
  );
}
