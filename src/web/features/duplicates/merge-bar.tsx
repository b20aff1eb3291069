import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/duplicates.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Merged, MergeReference } from '#shared/contract/merge-answers.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useMergeRecords } from './duplicates.mutations.ts';
import { mergePlanQuery } from './duplicates.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './duplicates.module.css';
import type { MergeRequest } from './use-merge.ts';

interface MergeBarProps {
  readonly guid: string;
  readonly request: MergeRequest;
  readonly onMerged: (undo: Merged['meta']['undo']) => void;
  readonly onCancel: () => void;
}

/** The preview of a merge, and the buttons to confirm or cancel it. */
export function MergeBar({ guid, request, onMerged, onCancel }: MergeBarProps) {
  const plan = useQuery({
    ...mergePlanQuery(guid, request),
    placeholderData: keepPreviousData,
  });
  const merging = useMergeRecords(guid, onMerged);
  const isPlanned = plan.data !== undefined && !plan.isPlaceholderData && plan.error === null;
  return (
    <section className={classes.merge} aria-label={texts.merge}>
      <p className={shared.muted}>{texts.mergeHint}</p>
      <div aria-live="polite" aria-busy={plan.isFetching}>
        {plan.error ? (
          <ErrorPanel error={plan.error} title={texts.notPlanned} />
        ) : plan.data ? (
          <>
            <p>
              {plan.data.changes.length === 0
                ? texts.mergeRemoves(plan.data.removed.length)
                : texts.mergeCounts({
                    removed: plan.data.removed.length,
                    changed: plan.data.changes.length,
                  })}
            </p>
            {plan.data.references.length === 0 ? (
              <p>{texts.noneFollow}</p>
            ) : (
              <ul>
                {plan.data.references.map((reference) => (
                  <li key={JSON.stringify([reference.id, reference.field])}>{textOf(reference)}</li>
                ))}
              </ul>
            )}
          </>
        ) : (
          <Spinner size={14} label={texts.planning} />
        )}
        {merging.error && <ErrorPanel error={merging.error} title={texts.notMerged} />}
      </div>
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          {commonTexts.cancel}
        </Button>
        <Button
          loading={merging.isPending}
          disabled={!isPlanned}
          onClick={() => merging.mutate(request)}
        >
          {texts.mergeNow(request.merge.length + 1)}
        </Button>
      </div>
    </section>
  );
}

function textOf({ kind, name, label, from, to, count }: MergeReference): string {
  const reference = { count, of: name, field: label, from: from.join(', '), to: String(to ?? '') };
  return kind === 'archive' ? texts.revisionsFollow(reference) : texts.recordsFollow(reference);
}
