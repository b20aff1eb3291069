import { useMutation, QueryObserver, useQueryClient } from '@tanstack/react-query';
import * as texts from '#messages/designer.ts';
import type { AnsweredJob } from '#shared/contract/configuration-definitions.ts';
import { administrationAnswers, onlyItem } from '#web/api/load-answer-schemas.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import type { CallError } from '#web/api/failure.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { writeData, writeOnly } from '#web/api/request.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { useDeferredNavigation } from '#web/ui/use-deferred-navigation.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import type { CollectionDefinition } from './collection-definition.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { type DefinitionBody, type DefinitionValues, toValues } from './definition-form.ts';
import { designIdOf, settleDesign, storeDesign } from './design-storage.ts';
import { definitionJobQuery, definitionKeys, parserOf } from './definitions.queries.ts';

const scopeOf = (kind: CollectionKind, id: string) => ({ id: `definition ${kind} ${id}` });

/**
 * Invalidates everything about archives and tables that depends on definitions.
 * @param refetchType `none`: definitions are refetched only by the next page
 */
function useInvalidateDefinitions() {
  const client = useQueryClient();
  return (refetchType: 'active' | 'none' = 'active') =>
    Promise.all(
      [definitionKeys.all, archiveKeys.all, tableKeys.all].map(async (queryKey) => {
        // The response to a request of a closed page would count as newer than the change.
        await client.cancelQueries({ queryKey, type: 'inactive' });
        await client.invalidateQueries({
          queryKey,
          refetchType: queryKey === definitionKeys.all ? refetchType : 'active',
        });
      }),
    );
}

/** The job in the answer of a call that takes long; null: the call is done. */
async function jobIn(raw: unknown): Promise<AnsweredJob | null> {
  const { success, data } = (await administrationAnswers()).jobsAnswer.safeParse(raw);
  return success ? onlyItem(data.jobs) : null;
}

/** Follows a job of a definition until its end, also when the user has left the page, and then reads definitions again. */
function useFollowJob() {
  const client = useQueryClient();
  const invalidate = useInvalidateDefinitions();
  return (jobId: string, onEnd: (job: AnsweredJob) => void) => {
    const job = definitionJobQuery(jobId);
    const isFollowed = client.getQueryCache().find(job)?.isActive() ?? false;
    if (isFollowed) return;
    const leave = new QueryObserver(client, job).subscribe(({ data, isError }) => {
      if (isError) return leave();
      if (!data || data.state === 'running') return;
      leave();
      onEnd(data);
      void invalidate();
    });
  };
}

/** Follows a job that applies the changes of the user. The changes stay stored until the job has applied them. */
export function useFollowChange({
  kind,
  guid,
  label,
}: Pick<CollectionDefinition, 'kind' | 'guid' | 'label'>) {
  const follow = useFollowJob();
  const { username } = useSession();
  return (jobId: string) =>
    follow(jobId, ({ state, error }) => {
      const isDone = state === 'done';
      settleDesign(designIdOf(username, kind, guid), jobId, isDone);
      if (isDone) notify(texts.applied(label));
      else notifyFailure(texts.changeFailed({ name: label, error }));
    });
}

export function useCreateDefinition(kind: CollectionKind) {
  const invalidate = useInvalidateDefinitions();
  const { username } = useSession();
  return useMutation({
    mutationFn: async (body: DefinitionBody): Promise<CollectionDefinition> => {
      const data = await writeData(apiPaths.definitions(kind), {
        method: 'POST',
        body,
        parse: parserOf(kind),
      });
      return onlyItem(data);
    },
    onSuccess: async ({ label }) => {
      storeDesign(designIdOf(username, kind, null), null);
      await invalidate();
      notify(texts.created(label));
    },
  });
}

/**
 * What the user has typed is kept when the definition was changed meanwhile: it is stored, and the current definition is
 * read, on top of which the designer shows it.
 * @param typed what the user has typed into the designer
 */
function useKeepOnChange(definition: CollectionDefinition, typed: () => DefinitionValues) {
  const { kind, guid, label, version } = definition;
  const invalidate = useInvalidateDefinitions();
  const { username } = useSession();
  return async ({ failure }: CallError) => {
    if (failure.kind !== 'api' || failure.code !== 'changed_meanwhile') return;
    const values = typed();
    // If another page of this user has applied its changes, it has removed the stored changes.
    storeDesign(designIdOf(username, kind, guid), {
      version,
      base: toValues(definition),
      values,
      jobId: null,
    });
    await invalidate();
    notify(texts.changedMeanwhile(label));
  };
}

/** Requests the plan of a change of a definition; nothing changes. @param typed as in `useKeepOnChange` */
export function usePlanDefinition(
  definition: CollectionDefinition,
  etag: string | null,
  typed: () => DefinitionValues,
) {
  const { kind, id } = definition;
  return useMutation({
    mutationFn: (body: DefinitionBody) =>
      writeData(apiPaths.definition(kind, id, { dryRun: 'true' }), {
        method: 'PUT',
        ifMatch: etag,
        body,
        parse: async (raw) => (await administrationAnswers()).planAnswer.parse(raw).plan,
      }),
    onError: useKeepOnChange(definition, typed),
  });
}

/** Counts the findings of an unsaved rule; nothing changes. */
export function useTryRule({ kind, id }: CollectionDefinition) {
  return useMutation({
    mutationFn: ({ rule, when }: { readonly rule: string; readonly when: string }) =>
      writeData(apiPaths.checksTry({ kind, id }), {
        method: 'POST',
        body: { rule, ...(when.trim() === '' ? {} : { when }) },
        parse: async (raw) => (await administrationAnswers()).triedRuleAnswer.parse(raw),
      }),
  });
}

interface DefinitionChange {
  readonly etag: string | null;
  readonly body: DefinitionBody;
  /** whether rules are applied although stored values violate them */
  readonly keepsMisfits: boolean;
}

/**
 * Applies a change. A long one becomes a job of the service. If the definition was changed meanwhile, the current one is
 * read, and what the user has typed is kept.
 * @param typed what the user has typed into the designer
 */
export function useChangeDefinition(
  definition: CollectionDefinition,
  typed: () => DefinitionValues,
) {
  const { kind, id, guid, label, version } = definition;
  const designOf = (jobId: string) => ({
    version,
    base: toValues(definition),
    values: typed(),
    jobId,
  });
  const follow = useFollowChange(definition);
  const invalidate = useInvalidateDefinitions();
  const { username } = useSession();
  return useMutation({
    scope: scopeOf(kind, id),
    mutationFn: ({ etag, body, keepsMisfits }: DefinitionChange) =>
      writeData(apiPaths.definition(kind, id), {
        method: 'PUT',
        ifMatch: etag,
        body: keepsMisfits ? { ...body, onMisfit: 'keep' } : body,
        parse: jobIn,
      }),
    onSuccess: async (job) => {
      storeDesign(designIdOf(username, kind, guid), job && designOf(job.jobId));
      await invalidate();
      notify(job ? texts.jobStarted(label) : texts.applied(label));
      if (job) follow(job.jobId);
    },
    onError: useKeepOnChange(definition, typed),
  });
}

export function useRetireDefinition({ kind, id, label }: CollectionDefinition) {
  const invalidate = useInvalidateDefinitions();
  return useMutation({
    scope: scopeOf(kind, id),
    mutationFn: () => writeOnly(apiPaths.definition(kind, id), { method: 'DELETE' }),
    onSuccess: async () => {
      await invalidate();
      notify(texts.isRetired(label));
    },
  });
}

export function useRestoreDefinition({ kind, id, label }: CollectionDefinition) {
  const invalidate = useInvalidateDefinitions();
  return useMutation({
    scope: scopeOf(kind, id),
    mutationFn: () => writeOnly(apiPaths.definitionRestore(kind, id), { method: 'POST' }),
    onSuccess: async () => {
      await invalidate();
      notify(texts.isRestored(label));
    },
    onError: (error) => notifyFailure(texts.notRestored(error.message)),
  });
}

/**
 * Permanently deletes a retired archive or table, or the values of a retired field. Requires the typed name.
 * @param field of a keyword field `keyword.NAME`; null: the archive or table
 */
export function usePurgeDefinition(
  { kind, id, label }: CollectionDefinition,
  field: string | null,
) {
  const invalidate = useInvalidateDefinitions();
  const follow = useFollowJob();
  return useMutation({
    scope: scopeOf(kind, id),
    mutationFn: (confirm: string) => {
      const path =
        field === null
          ? apiPaths.definition(kind, id, { purge: 'true' })
          : apiPaths.definitionFieldPurge(kind, id, field);
      return writeData(path, {
        method: field === null ? 'DELETE' : 'POST',
        body: { confirm },
        parse: jobIn,
      });
    },
    onSuccess: async (job) => {
      // The page of the deleted object must not refetch it.
      await invalidate(field === null ? 'none' : 'active');
      const name = field ?? label;
      notify(job ? texts.purgeStarted(name) : texts.isPurged(name));
      if (!job) return;
      follow(job.jobId, ({ state }) => {
        if (state === 'done') notify(texts.isPurged(name));
        else notifyFailure(texts.purgeFailed(name));
      });
    },
  });
}

/** Restores a definition's state before a change. */
export function useRevertDefinition({ kind, id, label }: CollectionDefinition) {
  const invalidate = useInvalidateDefinitions();
  const follow = useFollowJob();
  return useMutation({
    scope: scopeOf(kind, id),
    mutationFn: (historyId: string) =>
      writeData(apiPaths.definitionRevert(kind, id, historyId), { method: 'POST', parse: jobIn }),
    onSuccess: async (job) => {
      await invalidate();
      notify(job ? texts.jobStarted(label) : texts.reverted);
      if (!job) return;
      follow(job.jobId, ({ state, error }) => {
        if (state === 'done') notify(texts.reverted);
        else notifyFailure(texts.changeFailed({ name: label, error }));
      });
    },
    onError: (error) => notifyFailure(texts.notReverted(error.message)),
  });
}

/** Finds the records to correct before a change. @param onFound opens them, by their ids */
export function useFindMisfits(
  { kind, id, label }: CollectionDefinition,
  onFound: (ids: readonly string[]) => void,
) {
  const requestOpening = useDeferredNavigation();
  return useMutation({
    mutationFn: (body: DefinitionBody) =>
      writeData(apiPaths.misfits(kind, id), {
        method: 'POST',
        body,
        parse: async (raw) => {
          const { misfitsAnswer, misfitRecordsAnswer } = await administrationAnswers();
          return kind === 'archive'
            ? misfitsAnswer.parse(raw).revisionIds
            : misfitRecordsAnswer.parse(raw).jrids;
        },
      }),
    onMutate: requestOpening,
    onSuccess: (ids, _body, offer) =>
      offer({
        message: texts.misfitsFound(label),
        action: { label: texts.correctMisfits[kind], onPress: () => onFound(ids) },
      }),
    onError: (error) => notifyFailure(texts.misfitsNotFound(error.message)),
  });
}
