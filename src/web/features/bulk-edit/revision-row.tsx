import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import type { ReactNode } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { EditLine } from './edit-lines.tsx';
import type { PlannedRevision } from './plan.ts';
import classes from './preview.module.css';
import { labelOfPlace, nameOf } from './place-labels.ts';

interface RevisionRowProps {
  readonly archive: ArchiveDetail;
  readonly planned: PlannedRevision;
  /** whether anything was chosen that its values could differ from */
  readonly isCompared: boolean;
  readonly isTakenOut: boolean;
  /** the one row that Tab reaches; arrow keys lead from it to the others */
  readonly isCurrent: boolean;
  readonly onTakeOut: (out: boolean) => void;
  readonly onFocus: () => void;
}

/** One revision: whether it takes part, what would change, what stands against it. */
export function RevisionRow(props: RevisionRowProps) {
  const { archive, planned, isCompared, isTakenOut, isCurrent, onTakeOut, onFocus } = props;
  const { revision, edits, problems, outcome } = planned;
  const id = revision.revisionId;
  const name = nameOf(archive, revision);
  return (
    <div className={classes.revision} data-out={isTakenOut || undefined} data-outcome={outcome}>
      <Checkbox
        id={`bulk-edit-${id}`}
        aria-label={`Correct revision ${id}${name === '' ? '' : `, ${name}`}`}
        tabIndex={isCurrent ? 0 : -1}
        checked={!isTakenOut}
        onChange={(event) => onTakeOut(!event.currentTarget.checked)}
        onFocus={onFocus}
      />
      <label className={classes.who} htmlFor={`bulk-edit-${id}`}>
        <span className={classes.id}>{id}</span>
        <span className={classes.name}>{name}</span>
      </label>
      <div className={classes.what}>
        {edits.map((edit) => (
          <EditLine
            key={`${edit.kind} ${edit.name}`}
            edit={edit}
            label={labelOfPlace(archive, placeOf(edit))}
            rules={archive.indexFieldDefinitions.find(({ name }) => name === edit.name)}
          />
        ))}
        {problems.map(({ place, message }) => (
          <p key={`${place} ${message}`} className={classes.problem}>
            {place !== null && <Strong>{labelOfPlace(archive, place)}: </Strong>}
            {message}
          </p>
        ))}
        {isCompared && edits.length === 0 && problems.length === 0 && (
          <p className={classes.quiet}>Holds these values already.</p>
        )}
      </div>
    </div>
  );
}

function placeOf({ kind, name }: { readonly kind: 'field' | 'keywords'; readonly name: string }) {
  return kind === 'field' ? `indexFields.${name}` : `keywordFields.${name}`;
}

function Strong({ children }: { readonly children: ReactNode }) {
  return <strong className={classes.place}>{children}</strong>;
}
