import type { ComponentProps } from 'react';
import { HistoryPanel } from '#web/features/history/history-panel.tsx';
import { IndexForm } from '#web/features/index-form/index-form.tsx';

interface FormWithHistoryProps extends Omit<ComponentProps<typeof IndexForm>, 'renderBelow'> {
  /** the version whose history is shown; null: not loaded yet */
  readonly version: string | null;
}

/** The form of a revision with its history below. */
export function FormWithHistory({ version, ...props }: FormWithHistoryProps) {
  const { archive, revisionId } = props;
  return (
    <IndexForm
      {...props}
      renderBelow={(put) => (
        <HistoryPanel
          key={revisionId}
          archive={archive}
          revisionId={revisionId}
          version={version}
          put={put}
        />
      )}
    />
  );
}
