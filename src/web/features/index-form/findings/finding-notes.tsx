import * as texts from '#messages/findings.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import { WarningIcon } from '#web/ui/icons.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import type { FieldActions } from '../use-input-assist.ts';
import { ExceptionNote } from './exception-note.tsx';
import { FillSuggestion } from './fill-suggestion.tsx';
import { SuggestionButton } from './suggestion-button.tsx';
import { LookupText } from './lookup-text.tsx';
import type { FieldFinding } from './field-finding.ts';
import type { Findings } from './findings-store.ts';
import classes from './findings.module.css';

export interface FindingNotesProps {
  readonly all: readonly FieldFinding[];
  readonly findings: Findings;
  readonly field: ArchiveField;
  readonly actions: Pick<FieldActions, 'suggest'>;
  readonly readOnly: boolean;
}

/** The findings of one field, each with its commands. */
export function FindingNotes({ all, findings, field, actions, readOnly }: FindingNotesProps) {
  return all.map((finding) =>
    finding.exception ? (
      <ExceptionNote
        key={`${finding.check} excepted`}
        finding={finding}
        exception={finding.exception}
        findings={findings}
        readOnly={readOnly}
      />
    ) : (
      <FindingNote
        key={finding.check}
        finding={finding}
        findings={findings}
        field={field}
        actions={actions}
        readOnly={readOnly}
      />
    ),
  );
}

interface FindingNoteProps extends Omit<FindingNotesProps, 'all'> {
  readonly finding: FieldFinding;
}

function FindingNote({ finding, findings, field, actions, readOnly }: FindingNoteProps) {
  const { place, definition } = field;
  const { check, label, severity, isStored, isBlocking, isFirst, isExceptable, fillFrom } = finding;
  const stored = storedIn(findings.source().base.revision, field);
  const from = check === '_lookup' ? definition?.optionsFrom : null;
  return (
    <div className={classes.finding} data-severity={severity}>
      <p className={classes.text}>
        <WarningIcon size={13} />
        <VisuallyHidden>{severity === 'block' ? texts.error : texts.warning}</VisuallyHidden>
        <span>
          {from && typeof stored === 'string' ? (
            <LookupText from={from} text={stored} otherwise={label} />
          ) : (
            label
          )}
          {isBlocking && <> {texts.blocks}</>}
        </span>
      </p>
      {!readOnly &&
        finding.suggestions.map((suggestion) => (
          <SuggestionButton
            key={suggestion.label}
            label={suggestion.label}
            onApply={() => actions.suggest(place, suggestion, label)}
          />
        ))}
      {!readOnly && fillFrom && (
        <FillSuggestion field={field} fillFrom={fillFrom} actions={actions} check={label} />
      )}
      {!readOnly && isStored && isFirst && isExceptable && (
        <button
          type="button"
          className={classes.quiet}
          onClick={() => findings.asked.set({ place, finding })}
        >
          {texts.except}
        </button>
      )}
    </div>
  );
}
