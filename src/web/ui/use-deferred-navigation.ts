import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { notify } from './notify.ts';
import type { NotifyAction } from './notice-with-actions.tsx';

interface DeferredNavigation {
  /** reports that the page can be opened now */
  readonly message: string;
  readonly action: NotifyAction;
}

/**
 * Opening a page after a request has been answered. The returned function is called with the request, and what it
 * returns with the answer: the page opens while the user is still where it was requested, else a notice offers it.
 */
export function useDeferredNavigation(): () => (opening: DeferredNavigation) => void {
  const router = useRouter();
  return useCallback(() => {
    const { pathname } = router.latestLocation;
    return ({ message, action }) => {
      if (router.latestLocation.pathname === pathname) action.onPress();
      else notify(message, action);
    };
  }, [router]);
}
