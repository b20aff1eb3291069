import * as texts from '#messages/history.ts';
import { useQuery } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { revisionHistoryQuery } from '#web/api/revisions.queries.ts';
import type { RestoreValues } from '#web/fields/history/entry.tsx';
import { HistoryEntries, HistorySection } from '#web/fields/history/history-section.tsx';
import { callText, changesIn } from './entries.ts';

interface HistoryPanelProps {
  readonly archive: ArchiveDetail;
  readonly revisionId: string;
  /** its ETag; null: not loaded yet */
  readonly version: string | null;
  /** puts old values into the form; absent if it cannot be changed now */
  readonly onRestore: RestoreValues | undefined;
}

const TIPS = {
  state: texts.restoreStateHint,
  value: texts.restoreValueHint,
};

/** The changes of a revision, newest first; loaded when it is opened. */
export function HistoryPanel(props: HistoryPanelProps) {
  return (
    <HistorySection>
      <Entries {...props} />
    </HistorySection>
  );
}

function Entries({ archive, revisionId, version, onRestore }: HistoryPanelProps) {
  const history = useQuery(revisionHistoryQuery(archive.table, revisionId, version));
  return (
    <HistoryEntries
      history={history}
      changesIn={(entry) => changesIn(archive, entry)}
      callText={callText}
      onRestore={onRestore}
      tips={TIPS}
    />
  );
}
