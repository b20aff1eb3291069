import * as texts from '#messages/views.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { View } from '#shared/contract/workspace-answers.ts';
import { summary } from '#web/api/failure.ts';
import type { ListView } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { formatCount } from '#shared/messages/format.ts';
import { Button } from '#web/ui/button.tsx';
import { PeopleIcon, PlusIcon } from '#web/ui/icons.tsx';
import { notifyFailure } from '#web/ui/notify.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { ViewQuestion } from './view-dialog.tsx';
import { ViewMenu } from './view-menu.tsx';
import { readView, withRenamedFields, withSavedView, writeView } from './view-text.ts';
import { viewsQuery } from '#web/api/views.queries.ts';
import { useSaveView } from './views.mutations.ts';
import { viewCountQuery } from './view-state.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './views-strip.module.css';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';

const ViewDialog = lazyComponent(async () => (await import('./view-dialog.tsx')).ViewDialog, {
  layout: 'overlay',
  buffersKeys: true,
});

interface ViewsStripProps {
  readonly collection: CollectionRef;
  /** the label of the list in the side bar */
  readonly name: string;
  /** the number of records without a filter */
  readonly total: number;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  /** whether the user may create shared views */
  readonly mayShare: boolean;
}

const NO_VIEWS: readonly View[] = [];

/** The saved views of the list, each with its number of matches, and their commands. */
export function ViewsStrip(props: ViewsStripProps) {
  const { collection, name, total, view, onViewChange, mayShare } = props;
  const { data: views = NO_VIEWS } = useQuery(viewsQuery(collection));
  const [question, setQuestion] = useState<ViewQuestion | null>(null);
  const show = (chosen: View | null) => onViewChange(withSavedView(view, chosen));

  const now = writeView(view);
  const current =
    views.find(({ viewId }) => viewId === view.view) ??
    (view.view === undefined ? views.find(({ search }) => search === now) : undefined);
  // A view without changes shows its new state when it is read again; changes in it follow renamed fields.
  useOnChange(current, (before) => {
    if (!current || before?.viewId !== current.viewId || before.search === current.search) return;
    if (sameView(before.search, now)) show(current);
    else onViewChange(withRenamedFields(view, before.search, current.search));
  });
  const plain = writeView({ ...view, widths: {} }) === '';
  if (views.length === 0 && plain) return null;

  return (
    <section className={classes.strip} aria-label={texts.views}>
      <VisuallyHidden as="h2">{texts.views}</VisuallyHidden>
      <ul className={classes.views}>
        <li>
          <ViewButton
            name={texts.allRows(name)}
            count={total}
            chosen={current === undefined && plain}
            onClick={() => show(null)}
          />
        </li>
        {views.map((saved) => (
          <li key={saved.viewId}>
            <SavedView
              collection={collection}
              view={saved}
              chosen={saved === current}
              onClick={() => show(saved)}
            />
          </li>
        ))}
      </ul>
      <ViewActions
        collection={collection}
        current={current}
        now={now}
        isPlain={plain}
        mayShare={mayShare}
        onAsk={setQuestion}
      />
      {question && (
        <ViewDialog
          collection={collection}
          question={question}
          search={now}
          mayShare={mayShare}
          onClose={() => setQuestion(null)}
          onSaved={(saved) => {
            if (question.kind === 'new') onViewChange({ ...view, view: saved.viewId });
          }}
          onDeleted={() => {
            const { view: _view, ...others } = view;
            onViewChange(others);
          }}
        />
      )}
    </section>
  );
}

interface ViewActionsProps extends Pick<ViewsStripProps, 'collection' | 'mayShare'> {
  /** the view that is shown; undefined: none */
  readonly current: View | undefined;
  /** what is shown, as the text of a view */
  readonly now: string;
  /** whether the list is shown as it is without a view */
  readonly isPlain: boolean;
  readonly onAsk: (question: ViewQuestion) => void;
}

/** Saves what is shown in its view or in another one, and the menu of the view. */
function ViewActions(props: ViewActionsProps) {
  const { collection, current, now, isPlain, mayShare, onAsk } = props;
  const save = useSaveView(collection);
  const changed = current !== undefined && !sameView(current.search, now) ? current : null;
  const mayChange = current !== undefined && (current.shared ? mayShare : current.mine);
  const saveChanges = ({ viewId, name, shared }: View) =>
    save.mutate(
      { viewId, body: { name, shared, search: now } },
      { onError: ({ failure }) => notifyFailure(texts.notSaved(summary(failure))) },
    );
  return (
    <div className={classes.actions}>
      {changed && (
        <span className={`${shared.truncated} ${classes.changed}`}>
          {texts.changed(changed.name)}
        </span>
      )}
      {changed && mayChange && (
        <Button
          writes
          variant="light"
          loading={save.isPending}
          aria-label={texts.saveChanges(changed.name)}
          onClick={() => saveChanges(changed)}
        >
          {texts.save}
        </Button>
      )}
      {(changed || (!current && !isPlain)) && (
        <Button
          writes
          variant="subtle"
          color="gray"
          leftSection={<PlusIcon size={14} />}
          onClick={() => onAsk({ kind: 'new' })}
        >
          {changed ? texts.saveAsAnotherView : texts.saveAsView}
        </Button>
      )}
      {current && mayChange && <ViewMenu view={current} mayShare={mayShare} onAsk={onAsk} />}
    </div>
  );
}

/** A saved view without widths equals a list with any widths. */
function sameView(saved: string, now: string): boolean {
  const view = readView(saved);
  const shown = readView(now);
  return writeView(view) === writeView(view.widths ? shown : { ...shown, widths: {} });
}

interface SavedViewProps {
  readonly collection: CollectionRef;
  readonly view: View;
  readonly chosen: boolean;
  readonly onClick: () => void;
}

function SavedView({ collection, view, chosen, onClick }: SavedViewProps) {
  const { data: count } = useQuery(viewCountQuery(collection, readView(view.search)));
  return (
    <ViewButton
      name={view.name}
      count={count}
      chosen={chosen}
      forAll={view.shared}
      onClick={onClick}
    />
  );
}

interface ViewButtonProps {
  readonly name: string;
  readonly count: number | undefined;
  readonly chosen: boolean;
  readonly forAll?: boolean;
  readonly onClick: () => void;
}

function ViewButton({ name, count, chosen, forAll = false, onClick }: ViewButtonProps) {
  return (
    <button
      type="button"
      className={classes.view}
      ref={chosen ? intoView : undefined}
      aria-current={chosen ? 'true' : undefined}
      title={forAll ? texts.forEverybody : undefined}
      onClick={onClick}
    >
      {forAll && <PeopleIcon size={13} />}
      <span>{name}</span>{' '}
      {count !== undefined && (
        <span
          ref={chosen ? intoView : undefined}
          className={`${shared.badge} ${classes.count}`}
          data-none={count === 0 || undefined}
        >
          {formatCount(count)}
        </span>
      )}
    </button>
  );
}

/** On a narrow screen the chosen one would be outside the visible area; its count comes later and makes it wider. */
function intoView(part: HTMLElement | null): void {
  part?.closest('button')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
