import * as texts from '#messages/next-list.ts';
import type { View } from '#shared/contract/workspace-answers.ts';
import type { ListView } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { Shortcut } from '#web/ui/shortcuts.ts';
import shared from '#web/ui/shared.module.css';
import classes from './list-done.module.css';
import { NextList } from './next-list.tsx';
import { withSavedView } from './view-text.ts';

interface ListDoneProps {
  readonly collection: CollectionRef;
  /** the saved view without matches */
  readonly done: View;
  readonly view: ListView;
  /** the shortcut that opens the next list */
  readonly keys: Shortcut;
  readonly onViewChange: (view: ListView) => void;
}

/** Shown if a saved view has no matches: it is done, and what comes next. */
export function ListDone({ collection, done, view, keys, onViewChange }: ListDoneProps) {
  // The form of its last revision does not belong to the next list.
  const { selected: _selected, ...closed } = view;
  const show = (chosen: View | null) => onViewChange(withSavedView(closed, chosen));
  return (
    <EmptyState title={texts.nothingLeft(done.name)} done>
      <p>{texts.listDone}</p>
      <div className={`${shared.buttons} ${classes.ways}`}>
        <NextList collection={collection} after={done} keys={keys} onNext={show} />
        <Button variant="default" onClick={() => show(null)}>
          {texts.showAllRevisions}
        </Button>
      </div>
    </EmptyState>
  );
}
