import * as texts from '#messages/overview.ts';
import { LatestChanges } from './latest-changes.tsx';
import { Placeholder } from './placeholder.tsx';
import { useWaiting, type WaitingOptions } from './use-waiting.ts';
import { Waiting } from './waiting.tsx';

/** The user's unfinished work, and the latest changes; its space is reserved until everything is loaded. */
export function SecondColumn(props: WaitingOptions) {
  const waiting = useWaiting(props);
  if (!waiting) return <Placeholder title={texts.waiting} rows={3} />;
  const { changes, changesError, collections } = waiting;
  return (
    <>
      <Waiting waiting={waiting} />
      <LatestChanges changes={changes} collections={collections} error={changesError} />
    </>
  );
}
