import * as texts from '#messages/bulk-jobs.ts';
import * as importTexts from '#messages/imports.ts';
import * as rulesTexts from '#messages/bulk-rules.ts';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { useConfirmDiscard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { hasUnsavedInput } from '#web/ui/form/unsaved-input.ts';
import { SideWindow } from '#web/ui/side-window.tsx';
import { BulkJob } from './bulk-job.tsx';
import { bulkEditQuery } from './bulk-jobs.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './bulk-job.module.css';
import { JobList } from './job-list.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { type ListSelection, selectionSize } from '#web/api/list-selection.ts';

/** The purpose of the drawer. */
export type DrawerTask =
  | {
      readonly kind: 'rules';
      readonly archive: ArchiveDetail;
      readonly selection: ListSelection;
    }
  | { readonly kind: 'job'; readonly bulkEditId: string }
  | { readonly kind: 'list' };

interface BulkDrawerProps {
  readonly target: BulkTarget;
  readonly task: DrawerTask;
  /** for an import: returns to the columns of the file, which are kept until it is applied */
  readonly onBackToColumns?: (() => void) | undefined;
  readonly onClose: () => void;
  /** the application of a plan has begun */
  readonly onApplied: ((bulkEdit: AnsweredBulkEdit) => void) | undefined;
}

/** Bulk edits by rules, imports in progress and earlier ones. Covers the page until it is closed. */
export function BulkDrawer({ target, task, onBackToColumns, onClose, onApplied }: BulkDrawerProps) {
  const [job, setJob] = useState(task.kind === 'job' ? task.bulkEditId : null);
  const [isApplied, setIsApplied] = useState(false);
  const hasRules = task.kind === 'rules' && !isApplied;
  const back = hasRules
    ? { label: texts.backToRules, onBack: () => setJob(null) }
    : onBackToColumns && { label: importTexts.backToColumns, onBack: onBackToColumns };
  const asking = useConfirmDiscard(hasRules ? rulesTexts.lossWarning : importTexts.lossWarning);
  // Other input of the page stays where it is.
  const confirmDiscard = (act: () => void) =>
    asking.confirmDiscard(act, back !== undefined && hasUnsavedInput());
  const { data } = useQuery({
    ...bulkEditQuery(target.collection, job ?? ''),
    enabled: task.kind === 'job' && job !== null,
  });
  const title =
    task.kind === 'rules'
      ? texts.correctByRules(selectionSize(task.selection))
      : task.kind === 'list'
        ? texts.batchHistory
        : texts.titles[target.collection.kind === 'archive' ? 'edit' : (data?.kind ?? 'import')];
  return (
    <SideWindow
      title={title}
      subject={target.name}
      width={1080}
      onClose={() => confirmDiscard(onClose)}
    >
      {asking.question}
      {/* The rules stay mounted while the user looks at their preview. */}
      {hasRules && (
        <div className={`${shared.column} ${classes.part}`} hidden={job !== null}>
          <RuleEditor
            archive={task.archive}
            selection={task.selection}
            onPlanned={({ bulkEditId }) => setJob(bulkEditId)}
            onLeave={() => confirmDiscard(onClose)}
          />
        </div>
      )}
      {task.kind === 'list' && job === null && <JobList target={target} onOpen={setJob} />}
      {job !== null && (
        <div className={shared.column}>
          <BulkJob
            key={job}
            target={target}
            bulkEditId={job}
            onClose={task.kind === 'list' ? () => setJob(null) : onClose}
            onApplied={(applied) => {
              setIsApplied(true);
              onApplied?.(applied);
            }}
            confirmDiscard={confirmDiscard}
            onOther={({ bulkEditId }) => setJob(bulkEditId)}
            back={back}
          />
        </div>
      )}
    </SideWindow>
  );
}
