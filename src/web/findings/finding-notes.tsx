import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as texts from '#messages/findings.ts';
import { duplicatesLink } from '#web/api/list-link.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { referencedDatasetsQuery, type LookUpField } from '#web/fields/look-up.ts';
import type { StoredContent } from '#web/fields/value-checks.ts';
import { WarningIcon } from '#web/ui/icons.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { type ExceptionEnd, ExceptionNote } from './exception-note.tsx';
import { FillSuggestion } from './fill-suggestion.tsx';
import { SuggestionButton } from './suggestion-button.tsx';
import { notInTable } from './not-in-table.ts';
import type { FieldFinding, FieldSuggestion } from './finding.ts';
import classes from './findings.module.css';

interface FindingNotesProps extends ExceptionEnd {
  readonly all: readonly FieldFinding[];
  readonly field: ArchiveField;
  /** the record, whose duplicates can be compared */
  readonly of: { readonly collection: CollectionRef; readonly id: string };
  /** the stored value of the field */
  readonly stored: StoredContent;
  readonly readOnly: boolean;
  /** applies the suggestion of a check to the record; `check` is its label */
  readonly onSuggest: (suggestion: FieldSuggestion, check: string) => void;
  /** asks for the reason why the record is right */
  readonly onExcept: (finding: FieldFinding) => void;
}

/** The findings of one field, each with its commands. */
export function FindingNotes({ all, ...props }: FindingNotesProps) {
  return all.map((finding) =>
    finding.exception ? (
      <ExceptionNote
        key={`${finding.check} excepted ${finding.exception.at}`}
        finding={finding}
        exception={finding.exception}
        readOnly={props.readOnly}
        ending={props.ending}
        focusFieldOf={props.focusFieldOf}
      />
    ) : (
      <FindingNote key={finding.check} finding={finding} {...props} />
    ),
  );
}

interface FindingNoteProps extends Omit<FindingNotesProps, 'all'> {
  readonly finding: FieldFinding;
}

function FindingNote(props: FindingNoteProps) {
  const { finding, field, of, stored, readOnly, onSuggest, onExcept } = props;
  const { definition } = field;
  const { check, label, severity, isStored, isBlocking, isFirst, isExceptable, fillFrom } = finding;
  const lookedUp = check === '_lookup' && definition?.optionsFrom ? definition : null;
  return (
    <div className={classes.finding} data-severity={severity}>
      <p className={classes.text}>
        <WarningIcon size={13} />
        <VisuallyHidden>{severity === 'block' ? texts.error : texts.warning}</VisuallyHidden>
        <span>
          {lookedUp && typeof stored === 'string' ? (
            <LookupText field={lookedUp} text={stored} otherwise={label} />
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
            onApply={() => onSuggest(suggestion, label)}
          />
        ))}
      {!readOnly && fillFrom && (
        <FillSuggestion
          field={field}
          fillFrom={fillFrom}
          onApply={(suggestion) => onSuggest(suggestion, label)}
        />
      )}
      {isStored && isFirst && !isExceptable && (
        <Link {...duplicatesLink(of.collection, check, of.id)} className={classes.link}>
          {texts.compare}
        </Link>
      )}
      {!readOnly && isStored && isFirst && isExceptable && (
        <button type="button" className={classes.quiet} onClick={() => onExcept(finding)}>
          {texts.except}
        </button>
      )}
    </div>
  );
}

interface LookupTextProps {
  readonly field: LookUpField;
  readonly text: string;
  /** the text if the table cannot be named */
  readonly otherwise: string;
}

/** A message that a table does not contain the stored value of a field, with the name of the table. */
function LookupText({ field, text, otherwise }: LookupTextProps) {
  const { data } = useQuery(referencedDatasetsQuery(field, text));
  return data && data.options.length === 0 ? notInTable(text, data.label) : otherwise;
}
