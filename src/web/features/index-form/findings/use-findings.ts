import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { FieldFinding } from '#web/findings/finding.ts';
import { useListChecks } from '#web/findings/use-list-checks.ts';
import type { FormValues } from '../form-values.ts';
import { createFindings, type FormFindings } from './findings-store.ts';

interface FindingsOptions {
  readonly archive: ArchiveDetail;
  readonly fields: readonly ArchiveField[];
  readonly form: UseFormReturn<FormValues>;
  /** the version that is being edited */
  readonly base: VersionedRevision;
  readonly isEditable: boolean;
}

/** The findings in a form while the user types; the form itself is not rendered for it. */
export function useFindings(options: FindingsOptions): FormFindings {
  const { archive, fields, form, base, isEditable } = options;
  const { table, indexFieldDefinitions } = archive;
  const collection = useMemo(() => ({ kind: 'archive', id: table }) as const, [table]);
  const hasFindings = [base.findings, base.exceptions].some((all = []) => all.length > 0);
  const { module, localChecks, compared } = useListChecks(
    collection,
    indexFieldDefinitions,
    hasFindings,
  );
  const source = useMemo(
    () => ({
      archive: table,
      fields,
      base,
      compute: module?.computeFindings,
      localChecks,
      isEditable,
      compared,
    }),
    [table, fields, base, module, localChecks, isEditable, compared],
  );
  const [findings] = useState(() => createFindings(source, form.getValues()));
  useEffect(() => findings.setSource(source), [findings, source]);
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: () => findings.setValues(form.getValues()),
      }),
    [findings, form],
  );
  return findings;
}

/** The findings at a field. A keystroke that changes them renders the component. */
export function useFindingsAt(findings: FormFindings, path: string): readonly FieldFinding[] {
  return useSyncExternalStore(findings.subscribe, () => findings.at(path));
}
