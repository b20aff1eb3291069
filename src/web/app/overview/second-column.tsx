import * as texts from '#messages/overview.ts';
import { LatestChanges } from './latest-changes.tsx';
import { Placeholder } from './placeholder.tsx';
import { useUnfinishedWork, type UnfinishedWorkOptions } from './use-unfinished-work.ts';
import { UnfinishedWorkSections } from './unfinished-work.tsx';

/** The user's unfinished work, and the latest changes; its space is reserved until everything is loaded. */
export function SecondColumn(props: UnfinishedWorkOptions) {
  const work = useUnfinishedWork(props);
  if (!work) return <Placeholder title={texts.waiting} rows={3} />;
  const { changes, changesError, collections } = work;
  return (
    <>
      <UnfinishedWorkSections work={work} />
      <LatestChanges changes={changes} collections={collections} error={changesError} />
    </>
  );
}
