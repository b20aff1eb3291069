import { type ReactNode, useState } from 'react';
import * as texts from '#messages/duplicates.ts';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { Stepper } from '#web/ui/stepper.tsx';
import type { ComparedCollection } from './compare.ts';
import { DUPLICATES_KEYS } from './duplicates-keys.ts';
import shared from '#web/ui/shared.module.css';
import area from '#web/ui/work-area.module.css';
import classes from './duplicates.module.css';
import { notify } from '#web/ui/notify.ts';
import { useUndoMerge } from './duplicates.mutations.ts';
import { GroupOfRecords } from './group-of-records.tsx';
import { useGroups } from './use-groups.ts';

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
    if (shown.hasSettled) return <EmptyState title={texts.allDone} done />;
    return <EmptyState title={record === null ? texts.noGroups : texts.noGroupsOfRecord(record)} />;
  }
  const labelOf = (name: string) =>
    compared.fields.find((field) => field.name === name)?.label ?? name;
  const words = { position: at + 1, total: groups.length };
  return (
    <div className={shared.column}>
      <div className={area.bar}>
        <Stepper
          previous={{ label: texts.previousGroup, disabled: at === 0 }}
          next={{ label: texts.nextGroup, disabled: at === groups.length - 1 }}
          onStep={step}
        >
          <span role="status">
            {shown.isPart ? texts.groupPositionOfMany(words) : texts.groupPosition(words)}
          </span>
        </Stepper>
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
        key={shown.key}
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
