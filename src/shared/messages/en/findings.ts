/** What checks find in a record, at the fields of its form. `by` is a person's name, `at` a moment in words. */
export const warning = 'Warning:';
export const error = 'Error:';
export const blocks = 'It cannot be saved like this.';

/** A value that follows from a rule, with the calculation: `Total = Net + VAT: 2,084.40`. */
export const solved = ({
  label,
  sum,
  value,
}: {
  label: string;
  sum: string | null;
  value: string;
}) => (sum === null ? `${label}: ${value}` : `${label} = ${sum}: ${value}`);
export const swap = ({ one, other }: { one: string; other: string }) => `Swap ${one} and ${other}`;
/** The value that the table of the field `source` has. */
export const fillFrom = ({ source, value }: { source: string; value: string }) =>
  `Fill from ${source}: ${value}`;
export const suggestionByKey = (key: string) => `Put it into the form  ${key}`;
export const suggested = (check: string) => `Suggested by the check “${check}”. Not saved yet.`;
/** what the document has in the place of a value */
export const fromPage = (value: string) => `From the document: ${value}`;
export const noSuggestion = 'No check suggests a value.';

/** at a finding of duplicates: shows them beside each other */
export const compare = 'Compare duplicates';
export const except = 'Right as it is…';
export const exceptTitle = 'This is right as it is';
export const exceptText = (check: string) =>
  `The check “${check}” no longer finds it, as long as its fields keep their values.`;
export const reason = 'Reason';
export const reasonMissing = 'Enter a reason.';
export const exceptSubmit = 'Right as it is';
export const exceptFailed = 'The exception was not saved';
export const endException = 'Remove the exception';
export const exceptionEnded = 'The exception is removed.';
export const exceptionSaved = 'It is right as it is.';
export const exceptedBy = ({
  check,
  by,
  at,
  reason,
}: {
  check: string;
  by: string;
  at: string;
  reason: string;
}) => `${check}: right as it is, says ${by}, ${at}: “${reason}”`;
