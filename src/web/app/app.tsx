import { RouterProvider } from '@tanstack/react-router';
import { useRef } from 'react';
import { type OpenedPage, OpenedPageRef } from '#web/ui/page.tsx';
import type { AppRouter } from './router.ts';

/** All pages of a signed-in user, around a router (`createAppRouter`); tests render it over a router in memory. */
export function App({ router }: { readonly router: AppRouter }) {
  const openedPage = useRef<OpenedPage>(null);
  return (
    <OpenedPageRef value={openedPage}>
      <RouterProvider router={router} />
    </OpenedPageRef>
  );
}
