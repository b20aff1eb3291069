import * as texts from '#messages/bulk-correction.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { ValueChange } from '#web/fields/value-change.tsx';
import type { PlannedRevision } from './plan.ts';
import shared from '#web/ui/shared.module.css';
import classes from './preview.module.css';
import { labelOfPath, nameOf } from './field-labels.ts';

interface PlannedRowProps {
  readonly archive: ArchiveDetail;
  readonly planned: PlannedRevision;
  /** whether a change was chosen to compare its values with */
  readonly isCompared: boolean;
  readonly isExcluded: boolean;
  /** the row that Tab reaches; arrow keys move from it to the others */
  readonly isCurrent: boolean;
  readonly onExclude: (out: boolean) => void;
  readonly onFocus: () => void;
}

/** One revision: whether it is included, its changes, its problems. */
export function PlannedRow(props: PlannedRowProps) {
  const { archive, planned, isCompared, isExcluded, isCurrent, onExclude, onFocus } = props;
  const { revision, edits, problems, outcome } = planned;
  const id = revision.revisionId;
  const name = nameOf(archive, revision);
  return (
    <div className={classes.revision} data-out={isExcluded || undefined} data-outcome={outcome}>
      <Checkbox
        id={`bulk-edit-${id}`}
        aria-label={
          name === '' ? texts.includeRevision(id) : texts.includeNamedRevision({ id, name })
        }
        tabIndex={isCurrent ? 0 : -1}
        checked={!isExcluded}
        onChange={(event) => onExclude(!event.currentTarget.checked)}
        onFocus={onFocus}
      />
      <label className={classes.who} htmlFor={`bulk-edit-${id}`}>
        <span className={classes.id}>{id}</span>
        <span className={`${shared.truncated} ${classes.name}`}>{name}</span>
      </label>
      <div className={classes.what}>
        {edits.map(({ field, before, after }) => (
          <ValueChange
            key={field.path}
            label={field.label}
            rules={field.definition ?? undefined}
            before={before}
            after={after}
          />
        ))}
        {problems.map(({ path, message }) => (
          <p key={`${path} ${message}`} className={`${shared.wrong} ${classes.problem}`}>
            {path === null ? (
              message
            ) : (
              <RichText
                text={texts.problem({
                  field: (
                    <strong className={classes.errorField}>{labelOfPath(archive, path)}</strong>
                  ),
                  message,
                })}
              />
            )}
          </p>
        ))}
        {isCompared && edits.length === 0 && problems.length === 0 && (
          <p className={shared.muted}>{texts.unchanged}</p>
        )}
      </div>
    </div>
  );
}
