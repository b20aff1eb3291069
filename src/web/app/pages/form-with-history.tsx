import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useSession } from '#web/api/session.queries.ts';
import { HistoryPanel } from '#web/features/history/history-panel.tsx';
import { draftsOf } from '#web/features/index-form/drafts.ts';
import { IndexForm } from '#web/features/index-form/index-form.tsx';

interface FormWithHistoryProps extends Omit<
  ComponentProps<typeof IndexForm>,
  'username' | 'administrator' | 'drafts' | 'renderBelow'
> {
  /** the version whose history is shown; null: not loaded yet */
  readonly version: string | null;
}

/** The form of a revision for the signed-in user, with its history below. */
export function FormWithHistory({ version, ...props }: FormWithHistoryProps) {
  const { archive, revisionId } = props;
  const { username, role } = useSession();
  const drafts = draftsOf(useQueryClient(), username, archive.table);
  return (
    <IndexForm
      {...props}
      username={username}
      administrator={role === 'administrator'}
      drafts={drafts}
      renderBelow={(onRestore) => (
        <HistoryPanel
          key={revisionId}
          archive={archive}
          revisionId={revisionId}
          version={version}
          onRestore={onRestore}
        />
      )}
    />
  );
}
