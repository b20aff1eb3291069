import type { Address } from '#web/navigation/addresses.ts';
import type { Part } from '#web/ui/lazy-module.ts';
import { loadedPage } from './loaded-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
// With the first scripts: what it is made of is part of every page, and it is to come first of all.
import { SignInPage } from './pages/sign-in-page.tsx';

/** Everything for signed-in users stands in the frame. */
export const FrameLayout = loadedPage(
  async () => (await import('./pages/frame-layout.tsx')).FrameLayout,
);
const StartPage = loadedPage(async () => (await import('./pages/start-page.tsx')).StartPage);
const ArchivePage = loadedPage(async () => (await import('./pages/archive-page.tsx')).ArchivePage);
const CorrectionPage = loadedPage(
  async () => (await import('./pages/correction-page.tsx')).CorrectionPage,
);
const DocumentPage = loadedPage(
  async () => (await import('./pages/document-page.tsx')).DocumentPage,
);
const TablePage = loadedPage(async () => (await import('./pages/table-page.tsx')).TablePage);

const CODE: Readonly<Record<Address['page'], readonly Part<unknown>[]>> = {
  start: [FrameLayout, StartPage],
  'sign-in': [],
  archive: [FrameLayout, ArchivePage],
  queue: [FrameLayout, CorrectionPage],
  document: [FrameLayout, DocumentPage],
  table: [FrameLayout, TablePage],
  nowhere: [FrameLayout],
};

/** What has to be there before a page can be shown, the frame first. */
export function codeOf({ page }: Pick<Address, 'page'>): readonly Part<unknown>[] {
  return CODE[page];
}

/** The page of an address, without the frame. */
export function PageOf({ address }: { readonly address: Address }) {
  switch (address.page) {
    case 'start':
      return <StartPage />;
    case 'sign-in':
      return <SignInPage address={address} />;
    case 'archive':
      return <ArchivePage address={address} />;
    case 'queue':
      return <CorrectionPage address={address} />;
    case 'document':
      return <DocumentPage address={address} />;
    case 'table':
      return <TablePage address={address} />;
    case 'nowhere':
      return <NotFoundPage />;
    default:
      return address satisfies never;
  }
}
