import * as texts from '#messages/frame.ts';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { IconButton } from '#web/ui/button.tsx';
import { useFocusFallback } from '#web/ui/focus-fallback.ts';
import { SearchIcon, drawIcon } from '#web/ui/icons.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import classes from './frame.module.css';
import { LiveIndicator } from './live-indicator.tsx';
import { SideBar } from './side-bar.tsx';

const MenuIcon = drawIcon(<path d="M4 7h16M4 12h16M4 17h16" />);

const Palette = lazyDialog(async () => (await import('./palette.tsx')).Palette, {
  buffersKeys: true,
});
const SideDrawer = lazyDialog(async () => (await import('./side-drawer.tsx')).SideDrawer);

interface FrameProps {
  readonly onSignedOut: () => void;
  readonly children: ReactNode;
}

/** Side bar and page; on narrow screens the side bar opens over the page. */
export function Frame({ onSignedOut, children }: FrameProps) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [palette, setPalette] = useState(false);
  // Opened on one page, it is closed on the next.
  const [drawerOn, setDrawerOn] = useState<string | null>(null);
  const openPalette = () => {
    setDrawerOn(null);
    setPalette(true);
  };
  useShortcut('mod+K', openPalette);
  useFocusFallback();

  const sideBar = <SideBar onSearch={openPalette} onSignedOut={onSignedOut} />;
  return (
    <div className={classes.frame}>
      <a href="#page" className={classes.skip}>
        {texts.skipToPage}
      </a>
      <aside className={classes.side} aria-label={texts.sideBar}>
        {sideBar}
      </aside>
      <header className={classes.top}>
        <IconButton aria-label={texts.archivesAndTables} onClick={() => setDrawerOn(path)}>
          <MenuIcon size={18} />
        </IconButton>
        <span className={classes.topName}>{texts.indexdesk}</span>
        <LiveIndicator />
        <IconButton aria-label={texts.search} onClick={openPalette}>
          <SearchIcon size={18} />
        </IconButton>
      </header>
      <main id="page" tabIndex={-1} className={classes.page}>
        {children}
      </main>
      <SideDrawer opened={drawerOn === path} onClose={() => setDrawerOn(null)}>
        {sideBar}
      </SideDrawer>
      <Palette opened={palette} onClose={() => setPalette(false)} onSignedOut={onSignedOut} />
    </div>
  );
}
