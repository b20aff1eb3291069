import { type ReactNode, useState } from 'react';
import * as texts from '#messages/duplicates.ts';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import type { Merged } from '#shared/contract/merge-answers.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import type { ComparedCollection, ComparedRecord } from './compare.ts';
import { Comparison } from './comparison.tsx';
import { DUPLICATES_KEYS } from './duplicates-keys.ts';
import shared from '#web/ui/shared.module.css';
import classes from './duplicates.module.css';
import { MergeBar } from './merge-bar.tsx';
import { MergeChoice, MergeOutcome } from './merge-choice.tsx';
import { useComparedRecords } from './use-compared-records.ts';
import { useMerge } from './use-merge.ts';

const NotDuplicateDialog = lazyDialog(
  async () => (await import('./not-duplicate-dialog.tsx')).NotDuplicateDialog,
);

interface GroupOfRecordsProps {
  readonly compared: ComparedCollection;
  /** the name of the check */
  readonly check: string;
  readonly ids: readonly string[];
  readonly onlyDiffering: boolean;
  readonly onEdit: (id: string) => void;
  readonly renderDocument: (revision: RevisionDetail) => ReactNode;
  /** these records are no longer duplicates of others in the group */
  readonly onSettled: (ids: readonly string[]) => void;
  /** the records of the group were merged into the one with this id */
  readonly onMerged: (id: string, undo: Merged['meta']['undo']) => void;
}

/** A record for which a reason is asked, and those from which it differs: not those that have joined the group since. */
interface Requested {
  readonly id: string;
  readonly others: readonly string[];
}

/**
 * The records of a group side by side, to be merged into one of them, or to be marked as not duplicates. Choices and a
 * reason are kept while records join and leave the group.
 */
export function GroupOfRecords(props: GroupOfRecordsProps) {
  const { compared, check, ids, onlyDiffering, onEdit, onSettled, onMerged } = props;
  const { collection, fields, mayWrite, mayMerge } = compared;
  const { focused, setFocused, focusOn, isNear, isGone } = useFocusedRecord(ids);
  const records = useComparedRecords(compared, ids);
  const read = records.flatMap(({ record }) => record ?? []);
  const current = records[focused]?.record ?? null;
  const { request: mergeRequest, ...merge } = useMerge({ fields, ids, read, current, isGone });
  const { differing, others, request, endRequest } = useRequested(ids, read);
  useShortcut(DUPLICATES_KEYS.edit, () => {
    if (current) onEdit(current.id);
  });
  useShortcut(
    DUPLICATES_KEYS.notDuplicate,
    () => {
      if (current) request(current.id);
    },
    { enabled: mayWrite, writes: true },
  );
  useShortcut(DUPLICATES_KEYS.merge, merge.start, {
    enabled: mayMerge && merge.isReady,
    writes: true,
  });
  const title = collection.kind === 'archive' ? texts.revision : texts.record;
  const hasDocuments = read.some(({ revision }) => (revision?.files.length ?? 0) > 0);
  return (
    <>
      <Comparison
        fields={fields}
        records={records}
        onlyDiffering={onlyDiffering}
        focused={focused}
        onFocus={setFocused}
        title={title}
        renderHead={(record) => (
          <RecordHead record={record} onEdit={onEdit}>
            {!merge.isMerging && mayMerge && (
              <Button
                writes
                variant="default"
                size="compact-sm"
                disabled={!merge.isReady}
                onClick={() => {
                  focusOn(record.id);
                  merge.start();
                }}
              >
                {texts.merge}
              </Button>
            )}
            {!merge.isMerging && mayWrite && (
              <Button
                writes
                variant="default"
                size="compact-sm"
                disabled={read.length < 2}
                onClick={() => request(record.id)}
              >
                {texts.notDuplicate}
              </Button>
            )}
            {merge.isMerging && merge.keep && merge.takesPart(record) && (
              <MergeOutcome isRemaining={record === merge.keep} onKeep={() => focusOn(record.id)} />
            )}
          </RecordHead>
        )}
        renderCell={(field, record, text) =>
          mergeRequest !== null &&
          merge.takesPart(record) && (
            <MergeChoice
              field={field}
              text={text}
              record={title(record.id)}
              isChosen={merge.sourceOf(field)?.id === record.id}
              onChoose={() => merge.choose(field, record.id)}
            />
          )
        }
        renderFoot={
          hasDocuments
            ? (record, at) => (
                <RecordDocument
                  record={record}
                  isShown={isNear(at)}
                  onShow={() => setFocused(at)}
                  renderDocument={props.renderDocument}
                />
              )
            : null
        }
      />
      {mergeRequest && (
        <MergeBar
          guid={collection.id}
          request={mergeRequest}
          onCancel={merge.cancel}
          onMerged={(undo) => onMerged(mergeRequest.keep.jrid, undo)}
        />
      )}
      {differing && others.length > 0 && (
        <NotDuplicateDialog
          opened
          onClose={endRequest}
          collection={collection}
          check={check}
          record={differing}
          title={title(differing.id)}
          others={others}
          onDone={(isAll) => {
            endRequest();
            onSettled([differing.id, ...(isAll ? others.map(({ id }) => id) : [])]);
          }}
        />
      )}
    </>
  );
}

/** The request for a reason why a record is not a duplicate. It ends when the record leaves the group. */
function useRequested(ids: readonly string[], read: readonly ComparedRecord[]) {
  const [requested, setRequested] = useState<Requested | null>(null);
  if (requested && !ids.includes(requested.id)) setRequested(null);
  return {
    differing: read.find(({ id }) => id === requested?.id),
    others: read.filter(({ id }) => requested?.others.includes(id)),
    request: (id: string) => setRequested({ id, others: ids.filter((other) => other !== id) }),
    endRequest: () => setRequested(null),
  };
}

/** How many documents are shown before and after the focused record. */
const DOCUMENTS_AROUND = 1;

/** The position of the record for the keys, and the keys that move it. */
function useFocusedRecord(ids: readonly string[]) {
  const [{ id, at }, setFocus] = useState({ id: ids[0], at: 0 });
  const found = ids.findIndex((one) => one === id);
  const isGone = found < 0;
  const focused = isGone ? Math.min(at, ids.length - 1) : found;
  const setFocused = (index: number) => setFocus({ id: ids[index], at: index });
  if (isGone) setFocused(focused);
  const move = (by: 1 | -1) => setFocused(Math.min(ids.length - 1, Math.max(0, focused + by)));
  useShortcut(DUPLICATES_KEYS.nextRecord, () => move(1));
  useShortcut(DUPLICATES_KEYS.previousRecord, () => move(-1));
  return {
    focused,
    setFocused,
    focusOn: (record: string) => setFocused(ids.indexOf(record)),
    /** whether the record for the keys has left */
    isGone,
    /** whether the document of a record is shown */
    isNear: (at: number) => {
      const middle = Math.min(Math.max(focused, DOCUMENTS_AROUND), ids.length - 1);
      return Math.abs(at - middle) <= DOCUMENTS_AROUND;
    },
  };
}

interface RecordHeadProps {
  readonly record: ComparedRecord;
  readonly onEdit: (id: string) => void;
  /** further actions */
  readonly children: ReactNode;
}

function RecordHead({ record: { id, revision }, onEdit, children }: RecordHeadProps) {
  return (
    <>
      {revision && <LastChange of={revision} />}
      <div className={classes.actions}>
        <Button variant="default" size="compact-sm" onClick={() => onEdit(id)}>
          {texts.open}
        </Button>
        {children}
      </div>
    </>
  );
}

/** When and by whom a revision was last changed. */
function LastChange({ of: { changedAt, changedBy } }: { readonly of: RevisionDetail }) {
  const nameOf = useNameOf();
  return (
    <span className={shared.detail}>
      {texts.changed({ at: localInstant(changedAt), by: nameOf(changedBy) })}
    </span>
  );
}

interface RecordDocumentProps extends Pick<GroupOfRecordsProps, 'renderDocument'> {
  readonly record: ComparedRecord;
  readonly isShown: boolean;
  readonly onShow: () => void;
}

/** The document of a record; instead of one that is not shown yet, a button that shows it. */
function RecordDocument(props: RecordDocumentProps) {
  const { record, isShown, onShow, renderDocument } = props;
  const { id, revision } = record;
  return (
    <div className={classes.document} role="group" aria-label={texts.documentOf(id)}>
      {revision && isShown ? (
        renderDocument(revision)
      ) : (
        <div className={classes.later}>
          <Button variant="default" onClick={onShow}>
            {texts.showDocument}
          </Button>
        </div>
      )}
    </div>
  );
}
