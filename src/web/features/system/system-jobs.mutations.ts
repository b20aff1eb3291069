import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as texts from '#messages/system-jobs.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { writeOnly } from '#web/api/request.ts';
import { notifyFailure } from '#web/ui/notify.ts';
import { systemJobKeys } from './system-jobs.queries.ts';

function useInvalidateJobs() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: systemJobKeys.all });
}

/** Starts a backup, the check of a backup (its path), or a verification. */
export function useStartJob() {
  return useMutation({
    mutationFn: (path: string) => writeOnly(path, { method: 'POST' }),
    onError: (error) => notifyFailure(texts.notStarted(error.message)),
    onSettled: useInvalidateJobs(),
  });
}

/** Cancels a job. @param path the one of `systemJob` or `definitionJob` */
export function useCancelJob() {
  return useMutation({
    mutationFn: (path: string) => writeOnly(path, { method: 'DELETE' }),
    onError: (error) => notifyFailure(texts.notCancelled(error.message)),
    onSettled: useInvalidateJobs(),
  });
}

export function useDeleteBackup(name: string) {
  return useMutation({
    mutationFn: () => writeOnly(administrationPaths.backup(name), { method: 'DELETE' }),
    onSuccess: useInvalidateJobs(),
  });
}
