import * as texts from '#messages/presence.ts';
import type { Viewer } from '#shared/contract/workspace-answers.ts';
import { type NameOf, useNameOf } from '#web/api/display-names.queries.ts';
import { EditIcon, PeopleIcon } from '#web/ui/icons.tsx';
import classes from './presence.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';

/** Shows who else has a record open; announced to screen readers when it changes. */
export function PresenceNote({ viewers }: { readonly viewers: readonly Viewer[] }) {
  const nameOf = useNameOf();
  const words = presenceText(viewers, nameOf);
  const editing = viewers.filter((viewer) => viewer.editing);
  return (
    <div className={classes.viewers} title={words} data-editing={editing.length > 0}>
      {viewers.length > 0 && (
        <span aria-hidden="true">
          {editing.length > 0 ? <EditIcon size={13} /> : <PeopleIcon size={13} />}
          {namesOf(editing.length > 0 ? editing : viewers, nameOf)}
        </span>
      )}
      <VisuallyHidden aria-live="polite">{words}</VisuallyHidden>
    </div>
  );
}

/** Complete sentences; '' for nobody. Exported for its tests. */
export function presenceText(viewers: readonly Viewer[], nameOf: NameOf): string {
  const editing = viewers.filter((viewer) => viewer.editing);
  const looking = viewers.filter((viewer) => !viewer.editing);
  return [
    editing.length > 0 && texts.editing({ count: editing.length, names: namesOf(editing, nameOf) }),
    looking.length > 0 && texts.viewing({ count: looking.length, names: namesOf(looking, nameOf) }),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

function namesOf(viewers: readonly Viewer[], nameOf: NameOf): string {
  return viewers.map(({ username }) => nameOf(username)).join(', ');
}
