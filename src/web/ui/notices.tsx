import * as texts from '#messages/common.ts';
import { useStore } from '#web/api/use-store.ts';
import { useEffect } from 'react';
import { InLibrary, lazyUiModule, useLazyModule } from './lazy-component.tsx';
import classes from './notices.module.css';
import { waitingNotices } from './notify.ts';
import { LazyModuleError } from './lazy-module-error.tsx';

/** The code that shows notices; loaded after the page. */
const noticeParts = lazyUiModule(() => import('./notice-parts.ts'));

/** Where the notices of `notify` appear; rendered once, in the frame. */
export function Notices() {
  const waiting = useStore(waitingNotices);
  const [parts, again] = useLazyModule(noticeParts, waiting.length > 0);
  useEffect(() => {
    if (!parts || waiting.length === 0) return;
    waitingNotices.set([]);
    for (const { message, actions } of waiting) parts.showNotice(message, actions);
  }, [parts, waiting]);
  return (
    <section aria-label={texts.notices}>
      {parts && (
        <InLibrary>
          <parts.Notifications
            className={classes.notices ?? ''}
            position="bottom-right"
            limit={3}
            autoClose={4000}
            zIndex={800}
            withinPortal={false}
          />
        </InLibrary>
      )}
      {again && <LazyModuleError layout="overlay" onRetry={again} />}
    </section>
  );
}
