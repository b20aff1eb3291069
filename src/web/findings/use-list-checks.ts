import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RecordCheck } from '#shared/checks/record-checks.ts';
import { type CheckOfList, checkDefinitionsQuery } from '#web/api/checks.queries.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { usePatterns } from '#web/api/patterns.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { useLazyModule } from '#web/ui/lazy-component.tsx';
import { lazyModule } from '#web/ui/lazy-module.ts';
import type { ListChecks } from './findings-source.ts';

const NO_CHECKS: readonly CheckOfList[] = [];
const NO_LOCAL_CHECKS: readonly RecordCheck[] = [];

/** The code that computes and shows findings; not part of the first load of any page. */
export const findingsModule = lazyModule(() => import('./findings-module.ts'));
type FindingsModule = NonNullable<ReturnType<typeof findingsModule.loaded>>;

/**
 * The checks of an archive or table as the browser evaluates them.
 * @param hasFindings whether there are findings to show; otherwise the code is loaded only if the list has rules
 * @returns `module` undefined: not loaded yet, or there is nothing to find
 */
export function useListChecks(
  collection: CollectionRef,
  definitions: readonly IndexFieldDefinition[],
  hasFindings: boolean,
): ListChecks & { readonly module: FindingsModule | undefined } {
  const { data: checks = NO_CHECKS } = useQuery(checkDefinitionsQuery(collection));
  const hasRules = checks.some(({ rule }) => typeof rule === 'string');
  // If it cannot be loaded, only the service reports problems.
  const [module] = useLazyModule(findingsModule, hasFindings || hasRules);
  const localChecks = useLocalChecks(module, checks, definitions);
  const compared = useMemo(
    () =>
      new Map(
        checks.flatMap(({ name, duplicates = [] }) =>
          duplicates.length > 0 ? [[name, duplicates.flat()]] : [],
        ),
      ),
    [checks],
  );
  return useMemo(() => ({ module, localChecks, compared }), [module, localChecks, compared]);
}

/** The checks that can be evaluated in the browser. */
function useLocalChecks(
  module: FindingsModule | undefined,
  checks: readonly CheckOfList[],
  definitions: readonly IndexFieldDefinition[],
): readonly RecordCheck[] {
  const compiled = useMemo(
    () => module?.compileChecks(checks, definitions) ?? NO_LOCAL_CHECKS,
    [module, checks, definitions],
  );
  const patterns = useMemo(
    () => compiled.flatMap((check) => check.patterns.map((pattern) => ({ pattern }))),
    [compiled],
  );
  return usePatterns(patterns, true) ? compiled : NO_LOCAL_CHECKS;
}
