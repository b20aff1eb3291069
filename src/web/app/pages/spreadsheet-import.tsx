import { useState } from 'react';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { BulkDrawer } from '#web/features/bulk-jobs/bulk-drawer.tsx';
import { ImportDialog } from '#web/features/spreadsheets/import-dialog.tsx';

interface SpreadsheetImportProps {
  readonly target: BulkTarget;
  /** the application of the plan has begun */
  readonly onApplied: ((bulkEdit: AnsweredBulkEdit) => void) | undefined;
  /** nothing is planned */
  readonly onClose: () => void;
  /** the plan is closed */
  readonly onDone: () => void;
}

/** The import of a file, then its plan. The settings for the file are kept until the plan is applied. */
export function SpreadsheetImport({ target, onApplied, onClose, onDone }: SpreadsheetImportProps) {
  const [planned, setPlanned] = useState<string | null>(null);
  const [isApplied, setIsApplied] = useState(false);
  return (
    <>
      {!isApplied && (
        <ImportDialog
          opened={planned === null}
          target={target}
          onClose={onClose}
          onPlanned={setPlanned}
        />
      )}
      {planned !== null && (
        <BulkDrawer
          target={target}
          task={{ kind: 'job', bulkEditId: planned }}
          onBackToColumns={isApplied ? undefined : () => setPlanned(null)}
          onApplied={(bulkEdit) => {
            setIsApplied(true);
            onApplied?.(bulkEdit);
          }}
          onClose={onDone}
        />
      )}
    </>
  );
}
