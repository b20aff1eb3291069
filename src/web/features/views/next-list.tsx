import * as texts from '#messages/next-list.ts';
import type { View } from '#shared/contract/workspace-answers.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { type Shortcut, useShortcut } from '#web/ui/shortcuts.ts';
import classes from './list-done.module.css';
import { useNextView } from './next-view.ts';

interface NextListProps {
  readonly collection: CollectionRef;
  /** the finished view; undefined: none */
  readonly after: View | undefined;
  readonly keys: Shortcut;
  readonly onNext: (view: View) => void;
}

/** Offers the next saved view with matches, or reports that there is none. */
export function NextList({ collection, after, keys, onNext }: NextListProps) {
  const next = useNextView(collection, after);
  useShortcut(keys, () => void (next && onNext(next.view)), {
    enabled: Boolean(next),
  });
  if (next === null) {
    return (
      <div className={classes.nothing}>
        <p>{texts.nothingLeftAnywhere}</p>
        <p>{texts.listsFindRuleBreaks}</p>
      </div>
    );
  }
  if (next === undefined) return null;
  return (
    <Button variant="light" rightSection={<Kbd keys={keys} />} onClick={() => onNext(next.view)}>
      {texts.nextList({ name: next.view.name, count: next.count })}
    </Button>
  );
}
