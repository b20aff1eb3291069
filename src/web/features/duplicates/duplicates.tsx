import { type ReactNode, useState } from 'react';
import * as texts from '#messages/duplicates.ts';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '#web/ui/icons.tsx';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import type { ComparedCollection } from './compare.ts';
import { Comparison } from './comparison.tsx';
import { DUPLICATES_KEYS } from './duplicates-keys.ts';
import shared from '#web/ui/shared.module.css';
import area from '#web/ui/work-area.module.css';
import classes from './duplicates.module.css';
import type { Merged } from '#shared/contract/merge-answers.ts';
import { notify } from '#web/ui/notify.ts';
import { useUndoMerge } from './duplicates.mutations.ts';
import { MergeBar } from './merge-bar.tsx';
import { MergeChoice, MergeOutcome } from './merge-choice.tsx';
import { useMerge } from './use-merge.ts';
import { useComparedRecords } from './use-compared-records.ts';
import { useGroups } from './use-groups.ts';

const NotDuplicateDialog = lazyDialog(
  async () => (await import('./not-duplicate-dialog.tsx')).NotDuplicateDialog,
);

interface DuplicatesProps {
  readonly compared: ComparedCollection;
  /** the name of the check */
  readonly check: string;
  /** only the groups with this record; null: all */
  readonly record: string | null;
  /** the group in the address; null: the first */
  readonly group: string | null;
  readonly onGroup: (group: string) => void;
  readonly onEdit: (id: string) => void;
  readonly renderDocument: (revision: RevisionDetail) => ReactNode;
}

/** The duplicates that a check finds, one group at a time, with its records side by side. */
export function Duplicates(props: DuplicatesProps) {
  const { compared, check, record, group: wanted, onGroup } = props;
  const { collection } = compared;
  const [onlyDiffering, setOnlyDiffering] = useState(true);
  const shown = useGroups({ collection, check, record, wanted });
  const { groups, group, at } = shown;
  const undoing = useUndoMerge(collection.id);
  const step = (by: 1 | -1) => {
    const next = groups?.[at + by];
    if (next) onGroup(next.group);
  };
  useShortcut(DUPLICATES_KEYS.nextGroup, () => step(1));
  useShortcut(DUPLICATES_KEYS.previousGroup, () => step(-1));
  useShortcut(DUPLICATES_KEYS.differing, () => setOnlyDiffering(!onlyDiffering));
  if (shown.error) {
    return <ErrorPanel error={shown.error} title={texts.groupsNotRead} onRetry={shown.readAgain} />;
  }
  if (!groups) return <Spinner size={22} />;
  if (!shown.isCounted) return <Spinner size={22} label={texts.beingCounted} />;
  if (!group) {
    if (shown.hasSettled) return <Empty title={texts.allDone} done />;
    return <Empty title={record === null ? texts.noGroups : texts.noGroupsOfRecord(record)} />;
  }
  const labelOf = (name: string) =>
    compared.fields.find((field) => field.name === name)?.label ?? name;
  const words = { position: at + 1, total: groups.length };
  return (
    <div className={area.area}>
      <div className={area.bar}>
        <div className={classes.steps}>
          <IconButton aria-label={texts.previousGroup} disabled={at === 0} onClick={() => step(-1)}>
            <ChevronLeftIcon size={15} />
          </IconButton>
          <span role="status">
            {shown.isPart ? texts.groupPositionOfMany(words) : texts.groupPosition(words)}
          </span>
          <IconButton
            aria-label={texts.nextGroup}
            disabled={at === groups.length - 1}
            onClick={() => step(1)}
          >
            <ChevronRightIcon size={15} />
          </IconButton>
        </div>
        <span className={shared.muted}>{texts.equalIn(group.fields.map(labelOf).join(', '))}</span>
        <Checkbox
          label={texts.onlyDiffering}
          checked={onlyDiffering}
          onChange={(event) => setOnlyDiffering(event.currentTarget.checked)}
        />
      </div>
      {group.ids.length < group.count && (
        <p className={classes.note}>
          {texts.notAll({ shown: group.ids.length, count: group.count })}
        </p>
      )}
      <GroupOfRecords
        key={`${group.group} ${group.ids.join()}`}
        {...props}
        ids={group.ids}
        onlyDiffering={onlyDiffering}
        onSettled={(settled) => shown.leaveOut(group, settled)}
        onMerged={(id, undo) => {
          shown.leaveOut(group, group.ids);
          notify(texts.merged(id), {
            label: texts.undoMerge,
            onPress: () => undoing.mutate(undo, { onSuccess: () => shown.restore(group) }),
          });
        }}
      />
    </div>
  );
}

interface GroupOfRecordsProps extends Pick<
  DuplicatesProps,
  'compared' | 'check' | 'onEdit' | 'renderDocument'
> {
  readonly ids: readonly string[];
  readonly onlyDiffering: boolean;
  /** these records are no longer duplicates of others in the group */
  readonly onSettled: (ids: readonly string[]) => void;
  /** the records of the group were merged into the one with this id */
  readonly onMerged: (id: string, undo: Merged['meta']['undo']) => void;
}

/** How many documents are shown before and after the focused record. */
const DOCUMENTS_AROUND = 1;

function GroupOfRecords(props: GroupOfRecordsProps) {
  const { compared, check, ids, onlyDiffering, onEdit, onSettled, onMerged } = props;
  const { collection, fields, mayWrite, mayMerge } = compared;
  const [isMerging, setMerging] = useState(false);
  const [focused, setFocused] = useState(0);
  const [requestedId, setRequestedId] = useState<string | null>(null);
  const records = useComparedRecords(compared, ids);
  const read = records.flatMap(({ record }) => record ?? []);
  const current = records[focused]?.record;
  const differing = read.find(({ id }) => id === requestedId);
  const move = (by: 1 | -1) =>
    setFocused((before) => Math.min(ids.length - 1, Math.max(0, before + by)));
  useShortcut(DUPLICATES_KEYS.nextRecord, () => move(1));
  useShortcut(DUPLICATES_KEYS.previousRecord, () => move(-1));
  useShortcut(DUPLICATES_KEYS.edit, () => {
    if (current) onEdit(current.id);
  });
  useShortcut(DUPLICATES_KEYS.notDuplicate, () => setRequestedId(current?.id ?? null), {
    enabled: mayWrite,
  });
  const merge = useMerge(fields, read, current ?? undefined);
  const isAllRead = read.length === ids.length && read.length > 1;
  const request = isMerging && isAllRead ? merge.request() : null;
  useShortcut(DUPLICATES_KEYS.merge, () => setMerging(true), { enabled: mayMerge && isAllRead });
  const title = collection.kind === 'archive' ? texts.revision : texts.record;
  const hasDocuments = read.some(({ revision }) => (revision?.files.length ?? 0) > 0);
  const isNear = (at: number) =>
    Math.abs(at - Math.min(Math.max(focused, DOCUMENTS_AROUND), ids.length - 1)) <=
    DOCUMENTS_AROUND;
  return (
    <>
      <Comparison
        fields={fields}
        records={records}
        onlyDiffering={onlyDiffering}
        focused={focused}
        onFocus={setFocused}
        title={title}
        renderHead={({ id, revision }) => (
          <>
            {revision && <LastChange of={revision} />}
            <div className={classes.actions}>
              <Button variant="default" size="compact-sm" onClick={() => onEdit(id)}>
                {texts.open}
              </Button>
              {mayMerge && !isMerging && (
                <Button
                  variant="default"
                  size="compact-sm"
                  disabled={!isAllRead}
                  onClick={() => {
                    setFocused(ids.indexOf(id));
                    setMerging(true);
                  }}
                >
                  {texts.merge}
                </Button>
              )}
              {isMerging && (
                <MergeOutcome
                  isRemaining={id === current?.id}
                  onKeep={() => setFocused(ids.indexOf(id))}
                />
              )}
              {mayWrite && !isMerging && (
                <Button
                  variant="default"
                  size="compact-sm"
                  disabled={read.length < 2}
                  onClick={() => setRequestedId(id)}
                >
                  {texts.notDuplicate}
                </Button>
              )}
            </div>
          </>
        )}
        renderCell={
          request
            ? (field, record, text) => (
                <MergeChoice
                  field={field}
                  text={text}
                  record={title(record.id)}
                  isChosen={merge.sourceOf(field)?.id === record.id}
                  onChoose={() => merge.choose(field, record.id)}
                />
              )
            : undefined
        }
        renderFoot={
          hasDocuments
            ? ({ id, revision }, at) => (
                <div className={classes.document} role="group" aria-label={texts.documentOf(id)}>
                  {revision && isNear(at) ? (
                    props.renderDocument(revision)
                  ) : (
                    <div className={classes.later}>
                      <Button variant="default" onClick={() => setFocused(at)}>
                        {texts.showDocument}
                      </Button>
                    </div>
                  )}
                </div>
              )
            : null
        }
      />
      {request && (
        <MergeBar
          guid={collection.id}
          request={request}
          onCancel={() => setMerging(false)}
          onMerged={(undo) => onMerged(request.keep.jrid, undo)}
        />
      )}
      {differing && (
        <NotDuplicateDialog
          opened
          onClose={() => setRequestedId(null)}
          collection={collection}
          check={check}
          record={differing}
          title={title(differing.id)}
          others={read.filter(({ id }) => id !== requestedId)}
          onDone={(isAll) => {
            setRequestedId(null);
            onSettled(isAll ? ids : [differing.id]);
          }}
        />
      )}
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
