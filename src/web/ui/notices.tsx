import * as texts from '#messages/common.ts';
import { useStore } from '#web/api/use-store.ts';
import { useEffect } from 'react';
import { LazyLibraryProvider, lazyUiModule, useLazyModule } from './lazy-component.tsx';
import classes from './notices.module.css';
import { pendingNotices } from './notify.ts';
import { LazyModuleError } from './lazy-module-error.tsx';

/** The code that shows notices; loaded after the page. */
const noticeModule = lazyUiModule(() => import('./notice-module.ts'));

/** Where the notices of `notify` and its variants appear; rendered once, in the frame. */
export function Notices() {
  const waiting = useStore(pendingNotices);
  const [parts, retry] = useLazyModule(noticeModule, waiting.length > 0);
  useEffect(() => {
    if (!parts || waiting.length === 0) return;
    pendingNotices.set([]);
    for (const notice of waiting) parts.showNotice(notice);
  }, [parts, waiting]);
  return (
    <section aria-label={texts.notices}>
      {parts && (
        <LazyLibraryProvider>
          <parts.Notifications
            className={classes.notices ?? ''}
            position="bottom-right"
            limit={3}
            autoClose={4000}
            zIndex={800}
            withinPortal={false}
          />
          <parts.ReasonNotice />
        </LazyLibraryProvider>
      )}
      {retry && <LazyModuleError layout="overlay" onRetry={retry} />}
    </section>
  );
}
