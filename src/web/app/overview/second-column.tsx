import * as texts from '#messages/overview.ts';
import { LatestChanges } from './latest-changes.tsx';
import { Placeholder } from './section.tsx';
import { useWaiting, type WaitingOptions } from './use-waiting.ts';
import { Waiting } from './waiting.tsx';

/** What waits for the user, and what was changed last; its room is reserved until all of it is known. */
export function SecondColumn(props: WaitingOptions) {
  const waiting = useWaiting(props);
  if (!waiting) return <Placeholder title={texts.waiting} rows={3} />;
  const { changes, changesError, places } = waiting;
  return (
    <>
      <Waiting waiting={waiting} />
      <LatestChanges changes={changes} places={places} error={changesError} />
    </>
  );
}
