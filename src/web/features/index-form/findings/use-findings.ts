import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { type CheckOfList, checkDefinitionsQuery } from '#web/api/checks.queries.ts';
import { usePatterns } from '#web/api/patterns.ts';
import type { RevisionRead } from '#web/api/revisions.queries.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { lazyModule } from '#web/ui/lazy-module.ts';
import type { FormValues } from '../form-values.ts';
import type { CheckEvaluator } from './evaluate-checks.ts';
import { createFindings, type Findings } from './findings-store.ts';

interface FindingsOptions {
  readonly archive: ArchiveDetail;
  readonly fields: readonly ArchiveField[];
  readonly form: UseFormReturn<FormValues>;
  /** the version under the editors */
  readonly base: RevisionRead;
  readonly isEditable: boolean;
}

/** What checks find in a form while one types; the form itself is not rendered for it. */
export function useFindings({
  archive,
  fields,
  form,
  base,
  isEditable,
}: FindingsOptions): Findings {
  const { data: checks = NO_CHECKS } = useQuery(
    checkDefinitionsQuery({ kind: 'archive', id: archive.table }),
  );
  const hasFindings = [base.findings, base.exceptions].some((all = []) => all.length > 0);
  const module = useFindingsModule(
    hasFindings || checks.some(({ rule }) => typeof rule === 'string'),
  );
  const evaluator = useEvaluator(module, checks, archive);
  const compared = useMemo(
    () => new Map(checks.map(({ name, duplicates }) => [name, duplicates?.flat() ?? []])),
    [checks],
  );
  const source = useMemo(
    () => ({
      archive: archive.table,
      fields,
      base,
      compute: module?.computeFindings,
      evaluator,
      isEditable,
      compared: new Map([...compared].filter(([, names]) => names.length > 0)),
    }),
    [archive, fields, base, module, evaluator, isEditable, compared],
  );
  const [findings] = useState(() => createFindings(source, form.getValues()));
  useEffect(() => findings.take(source), [findings, source]);
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: () => findings.update(form.getValues()),
      }),
    [findings, form],
  );
  return findings;
}

const NO_CHECKS: readonly CheckOfList[] = [];

export const findingsModule = lazyModule(() => import('./findings-module.ts'));
type FindingsModule = NonNullable<ReturnType<typeof findingsModule.loaded>>;

/** @param isNeeded whether there is something to find; where it cannot be loaded, the service alone says what is wrong */
function useFindingsModule(isNeeded: boolean): FindingsModule | undefined {
  const [module, setModule] = useState(() => findingsModule.loaded());
  useEffect(() => {
    if (isNeeded && !module)
      findingsModule.fetch().then(
        (loaded) => setModule(loaded),
        () => undefined,
      );
  }, [isNeeded, module]);
  return module;
}

/** The checks that can be evaluated in the browser. */
function useEvaluator(
  module: FindingsModule | undefined,
  checks: readonly CheckOfList[],
  { indexFieldDefinitions: fields }: ArchiveDetail,
): CheckEvaluator | null {
  const evaluator = useMemo(
    () => module?.evaluatorOf(checks, fields) ?? null,
    [module, checks, fields],
  );
  const patterns = useMemo(
    () => (evaluator?.checks ?? []).flatMap((one) => one.patterns.map((pattern) => ({ pattern }))),
    [evaluator],
  );
  return usePatterns(patterns, true) ? evaluator : null;
}
