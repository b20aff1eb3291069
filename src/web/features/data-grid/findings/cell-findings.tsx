import type { RefObject } from 'react';
import type { Severity } from '#shared/rules/check-words.ts';
import type { FieldFinding } from '#web/findings/finding.ts';
import { SuggestionButton } from '#web/findings/suggestion-button.tsx';
import { BelowCell } from '#web/grid/below-cell.tsx';
import { WarningIcon } from '#web/ui/icons.tsx';
import type { RowKey } from '../edit-store/edits.ts';
import { fillsOf } from './row-record.ts';
import type { GridActions } from '../grid-actions.ts';
import classes from './cell-findings.module.css';

interface CellFindingsProps {
  /** the cell */
  readonly of: RefObject<HTMLElement | null>;
  /** whether its editor is open, which has its own message below the cell */
  readonly isEdited: boolean;
  readonly rowKey: RowKey;
  /** the findings as text */
  readonly findingText: string;
  readonly severity: Severity | undefined;
  /** the findings with suggestions; null: unknown */
  readonly findings: readonly FieldFinding[] | null;
  readonly actions: GridActions;
}

/** Shown at the focused cell: its findings, and values that follow from the rules. */
export function CellFindings(props: CellFindingsProps) {
  const { of, isEdited, rowKey, findingText, severity, findings, actions } = props;
  const found = isEdited ? [] : (findings ?? []);
  const suggestions = found.flatMap((finding) => finding.suggestions);
  return (
    <BelowCell anchor={of} isAbove={isEdited}>
      <div className={classes.panel} data-severity={severity} role="status" data-cell-findings>
        {findingText.split('\n').map((line) => (
          <p key={line} className={classes.line}>
            <WarningIcon size={13} />
            <span>{line}</span>
          </p>
        ))}
        {suggestions.map((suggestion) => (
          <SuggestionButton
            key={suggestion.label}
            label={suggestion.label}
            isTabStop={false}
            onApply={() => {
              actions.suggest(rowKey, fillsOf(suggestion));
              actions.refocus();
            }}
          />
        ))}
      </div>
    </BelowCell>
  );
}
