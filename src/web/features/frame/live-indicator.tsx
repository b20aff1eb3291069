import * as texts from '#messages/frame.ts';
import { useStore } from '#web/api/use-store.ts';
import { useEffect, useState } from 'react';
import { liveState } from '#web/api/live/live.ts';
import { PauseIcon } from '#web/ui/icons.tsx';
import classes from './live-indicator.module.css';

/** A connection that is restored within this time is not reported, in milliseconds. */
const NOTICE_DELAY = 3_000;

/** Shows that changes by others are not received at present. */
export function LiveIndicator() {
  const state = useStore(liveState);
  const isDisconnected = state === 'lost' || state === 'starting';
  return <output className={classes.area}>{isDisconnected && <Paused />}</output>;
}

function Paused() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), NOTICE_DELAY);
    return () => clearTimeout(timer);
  }, []);
  return (
    shown && (
      <span className={classes.mark} title={texts.offlineHint}>
        <PauseIcon size={13} />
        {texts.offline}
      </span>
    )
  );
}
