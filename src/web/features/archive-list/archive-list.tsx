import * as texts from '#messages/archive-list.ts';
import { type ReactNode, type Ref, useMemo, useRef } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { ListSelection } from '#web/api/list-selection.ts';
import type { ListView, ViewChange } from '#web/api/list-view.ts';
import { MAX_IN_ADDRESS } from '#web/api/review-link.ts';
import shared from '#web/ui/shared.module.css';
import classes from './archive-list.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { chosenFields } from '#web/list-tools/list-field.ts';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { LIST_KEYS } from './list-keys.ts';
import { columnFields } from './list-columns.ts';
import { ListFooter } from './list-footer.tsx';
import { ListState } from './list-state.tsx';
import { type ListHandle, RevisionGrid } from './revision-grid.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { RevisionRows } from './use-revision-rows.ts';
import { useRevisionSelection } from './use-revision-selection.ts';

interface ArchiveListProps {
  readonly archive: ArchiveDetail;
  readonly rows: RevisionRows;
  readonly view: ListView;
  readonly onViewChange: (change: ViewChange) => void;
  /** opens a revision's form; `enter`: focuses it */
  readonly onOpen: (revisionId: string, enter: boolean) => void;
  readonly onClose: () => void;
  /** a heading's menu requests a condition on a field */
  readonly onFilter: (name: string) => void;
  /** shows the values of a text field */
  readonly onCleanUp: (name: string) => void;
  /** revisions with unsaved changes */
  readonly unsaved: ReadonlySet<string>;
  readonly onNextUnsaved: () => void;
  /** shown if the view matches nothing and is a work list */
  readonly done: ReactNode;
  /** absent if the user may not write */
  readonly onCorrectOneByOne: ((selection: ListSelection) => void) | undefined;
  /** absent if the user may not write */
  readonly onCorrectTogether: ((selection: ListSelection) => void) | undefined;
  /** absent if the user may not write */
  readonly onCorrectByRules: ((selection: ListSelection) => void) | undefined;
  /** shows one field of many revisions (null: the first); absent if the user may not write */
  readonly onReview: ((field: string | null, selection: ListSelection) => void) | undefined;
  readonly ref: Ref<ListHandle>;
}

/** The virtual list of an archive's revisions with its count and the bar for the selection. */
export function ArchiveList({ ref, ...props }: ArchiveListProps) {
  const { archive, rows, view, onViewChange, unsaved } = props;
  const { onCorrectOneByOne, onCorrectTogether, onCorrectByRules, onReview } = props;
  const columns = useMemo(
    () => chosenFields(columnFields(archive), view.columns),
    [archive, view.columns],
  );
  const selection = useRevisionSelection(archive.table, rows);
  const { selected } = selection;
  const listSelection = (): ListSelection => {
    const { columns: _columns, selected: _selected, ...shown } = view;
    return selected.kind === 'ids'
      ? { kind: 'ids', ids: [...selected.ids] }
      : { kind: 'all', view: { ...shown, ...selected.filter }, total: rows.count };
  };
  const ordering = useRef(false);
  /** Selected rows are corrected in list order, whatever the order of clicks. */
  const oneByOne = async () => {
    if (!onCorrectOneByOne || ordering.current) return;
    const now = listSelection();
    if (now.kind === 'all') return onCorrectOneByOne(now);
    ordering.current = true;
    const ids = await rows.inOrder(now.ids);
    ordering.current = false;
    onCorrectOneByOne({ kind: 'ids', ids });
  };
  /** Shows a field of the selected revisions; of all matches if none is selected, or more than an address can name. */
  const review = async (field: string | null) => {
    const now = listSelection();
    const isSome = now.kind === 'ids' && now.ids.length > 0 && now.ids.length <= MAX_IN_ADDRESS;
    if (!isSome) onReview?.(field, { kind: 'all', view, total: rows.count });
    else onReview?.(field, { kind: 'ids', ids: await rows.inOrder(now.ids) });
  };
  const shown = rows.status === 'ready' && rows.count > 0;
  const correctByKey = () => {
    if (selected.kind === 'all' || selected.ids.length > 0) void oneByOne();
    else onCorrectOneByOne?.({ kind: 'all', view, total: rows.count });
  };
  useShortcut(LIST_KEYS.correct, correctByKey, {
    enabled: shown && onCorrectOneByOne !== undefined,
  });
  return (
    <section className={shared.column} aria-label={texts.revisions}>
      <VisuallyHidden as="h2">{texts.revisions}</VisuallyHidden>
      <div className={classes.body}>
        {shown ? (
          <RevisionGrid
            archive={archive}
            rows={rows}
            shown={columns}
            view={view}
            onViewChange={onViewChange}
            onOpen={props.onOpen}
            onClose={props.onClose}
            onFilter={({ name }) => props.onFilter(name)}
            onReview={onReview && ((field) => void review(field))}
            onCleanUp={({ name }) => props.onCleanUp(name)}
            unsaved={unsaved}
            selection={selection}
            ref={ref}
          />
        ) : (
          <ListState rows={rows} view={view} onViewChange={onViewChange} done={props.done} />
        )}
        <SelectionBar
          selected={selected}
          rows={rows}
          onAll={selection.all}
          onClear={selection.clear}
          onOneByOne={onCorrectOneByOne && (() => void oneByOne())}
          onCorrect={onCorrectTogether && (() => onCorrectTogether(listSelection()))}
          onReview={onReview && (() => void review(null))}
          onRules={onCorrectByRules && (() => onCorrectByRules(listSelection()))}
        />
      </div>
      <ListFooter
        rows={rows}
        of={archive.documents}
        unsaved={unsaved.size}
        onNextUnsaved={props.onNextUnsaved}
      />
    </section>
  );
}
