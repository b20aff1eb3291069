import * as commonTexts from '#messages/common.ts';
import type { CheckException, Finding } from '#shared/contract/answers.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { isSameName } from '#shared/rules/names.ts';
import { valueText } from '#web/fields/value-text.ts';
import { storedProblem } from '#web/fields/value-checks.ts';
import { DEFINITION_CHECKS } from './definition-checks.ts';
import { isFound, suggestionsFor } from './evaluate-checks.ts';
import type {
  CheckedRecord,
  FieldFinding,
  FieldSuggestion,
  FillFrom,
  FindingsByPath,
} from './finding.ts';
import type { FindingsSource } from './findings-source.ts';

/** A finding with the suggestions of all fields. */
interface Found extends Pick<Finding, 'check' | 'label' | 'severity' | 'fields'> {
  readonly isStored: boolean;
  readonly isBlocking: boolean;
  readonly suggestions: readonly FieldSuggestion[];
  readonly exception: CheckException | null;
}

/** The findings of checks in a record being edited, by the paths of its fields. */
export function computeFindings(source: FindingsSource, record: CheckedRecord): FindingsByPath {
  const { fields } = source;
  const byPath = new Map<string, FieldFinding[]>();
  for (const { fields: marked, suggestions, ...finding } of foundIn(source, record)) {
    const markedFields = fields.filter(
      ({ name, definition }) => definition && marked.includes(name),
    );
    for (const field of markedFields) {
      const { path } = field;
      const fieldSuggestions = suggestions.filter((suggestion) =>
        suggestion.values.some(([at]) => at === path),
      );
      const isFirst = path === markedFields[0]?.path;
      const isExceptable = !source.compared.has(finding.check);
      const label = labelAt(finding, field, source);
      const all = byPath.get(path) ?? [];
      const isFilled = source.isEditable && finding.exception === null && all.length === 0;
      const fillFrom = isFilled ? fillFromOf(record, field) : null;
      const about = { label, isFirst, isExceptable, suggestions: fieldSuggestions, fillFrom };
      byPath.set(path, [...all, { ...finding, ...about }]);
    }
  }
  return byPath;
}

/** The field whose choice from a table fills another field, if it has a value. */
function fillFromOf({ fields, valueOf }: CheckedRecord, field: ArchiveField): FillFrom | null {
  if (field.isReadOnly) return null;
  for (const { name, label, definition } of fields) {
    const filled = Object.keys(definition?.optionsFrom?.fills ?? {});
    const value = valueText(valueOf(name));
    if (!definition || !value || !filled.some((filledName) => isSameName(filledName, field.name)))
      continue;
    return { from: definition, label, value, present: valueText(valueOf(field.name)) ?? '' };
  }
  return null;
}

/** The label of a finding at a field; for a definition check, the error. */
function labelAt(
  { check, label, exception }: Pick<Found, 'check' | 'label' | 'exception'>,
  field: ArchiveField,
  { storedOf }: FindingsSource,
): string {
  if (exception || !DEFINITION_CHECKS.some((name) => name === check)) return label;
  const problem = storedProblem(field.definition, storedOf(field));
  return problem === null ? label : commonTexts.storedValue(problem);
}

/**
 * The service's findings stay valid while the fields that they depend on are unchanged; for changed fields the rules
 * are evaluated here. Exceptions end with a change as well.
 */
function foundIn(source: FindingsSource, record: CheckedRecord): Found[] {
  const { localChecks, compared, isEditable, findings = [], exceptions = [] } = source;
  const { edited, unreadable } = record;
  const isTouched = (names: readonly string[]) => names.some((name) => edited.has(name));
  const stored = findings.flatMap((finding): Found[] => {
    const check = localChecks.find(({ name }) => name === finding.check);
    const uses = check?.uses ?? compared.get(finding.check) ?? finding.fields;
    if (isTouched(uses)) return [];
    const suggestions = check && isEditable ? suggestionsFor(check, record) : [];
    return [{ ...finding, isStored: true, isBlocking: false, suggestions, exception: null }];
  });
  const typed = localChecks.flatMap((check): Found[] => {
    const { name, label, severity, uses } = check;
    if (!isTouched(uses) || uses.some((field) => unreadable.has(field))) return [];
    if (!isFound(check, record)) return [];
    const suggestions = isEditable ? suggestionsFor(check, record) : [];
    const isBlocking = severity === 'block';
    const about = { check: name, label, severity, fields: [...check.fields] };
    return [{ ...about, isStored: false, isBlocking, suggestions, exception: null }];
  });
  const excepted = exceptions.flatMap((exception): Found[] => {
    const { check, label, fields } = exception;
    if (isTouched(fields)) return [];
    const about = { check, label, severity: 'warn' as const, fields };
    return [{ ...about, isStored: true, isBlocking: false, suggestions: [], exception }];
  });
  return [...stored, ...typed, ...excepted];
}
