import * as texts from '#messages/index-form.ts';
import { ConflictPanel } from '#web/fields/lazy-conflict-panel.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { PersonName } from '#web/ui/person-name.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { compareVersions, resolveConflicts } from './conflict.ts';
import classes from './index-form.module.css';
import type { FormModel } from './use-form-model.ts';

interface RevisionConflictProps {
  readonly model: FormModel;
  readonly conflict: NonNullable<FormModel['state']['conflict']>;
}

/** In place of the fields, after somebody else has changed the revision: compares both versions field by field. */
export function RevisionConflict({ model, conflict }: RevisionConflictProps) {
  const { archive, state, focus, saveAgain } = model;
  const { theirs, method } = conflict;
  const { revision } = state.base;
  const { changedBy, changedAt } = theirs.revision;
  const edits = state.edits();
  const leave = () => {
    state.setConflict(null);
    requestAnimationFrame(() => focus.goTo(focus.current));
  };
  const comparison = compareVersions(archive, revision, theirs.revision, edits);
  return (
    <div className={classes.conflict}>
      <ConflictPanel
        takesFocus
        title={
          <RichText
            text={texts.changedWhileOpen(
              <PersonName key="by" username={changedBy} />,
              localInstant(changedAt),
            )}
          />
        }
        {...comparison}
        action={method === null ? 'take' : 'save'}
        onResolve={(choices) => {
          const settled = resolveConflicts(edits, comparison, choices, { archive, revision });
          state.rebaseOn(theirs, settled);
          leave();
          if (method !== null) void saveAgain(method);
        }}
        onCancel={leave}
      />
    </div>
  );
}
