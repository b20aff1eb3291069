import * as texts from '#messages/index-form.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { ConflictPanel } from '#web/fields/lazy-conflict-panel.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { PersonName } from '#web/ui/person-name.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { compareVersions, resolveConflicts } from './conflict.ts';
import classes from './index-form.module.css';
import type { FormEdits } from './form-values.ts';

interface RevisionConflictProps {
  readonly archive: ArchiveDetail;
  readonly base: VersionedRevision;
  readonly theirs: VersionedRevision;
  readonly edits: FormEdits;
  readonly action: 'save' | 'take';
  /** @param edits the remaining ones, based on the other version */
  readonly onResolve: (edits: FormEdits) => void;
  readonly onCancel: () => void;
}

/** In place of the fields, after somebody else has changed the revision: compares both versions field by field. */
export function RevisionConflict(props: RevisionConflictProps) {
  const { archive, base, theirs, edits, onResolve } = props;
  const { revision } = base;
  const { changedBy, changedAt } = theirs.revision;
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
        action={props.action}
        onResolve={(choices) =>
          onResolve(resolveConflicts(edits, comparison, choices, { archive, revision }))
        }
        onCancel={props.onCancel}
      />
    </div>
  );
}
