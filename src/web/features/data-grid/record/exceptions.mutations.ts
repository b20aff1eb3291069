import { mutationOptions } from '@tanstack/react-query';
import type { CallError } from '#web/api/failure.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import type { ExceptionChange } from '#web/findings/finding.ts';
import { expectOwnEvents } from '#web/api/live/own-writes.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { write } from '#web/api/request.ts';
import { onlyDataset, toStored } from '../edit-store/datasets.calls.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { ServerRecord } from '../edit-store/edits.ts';
import { refetchRecords } from '../record.queries.ts';

/**
 * Makes an exception that a record is right although it fails a check, or ends it. It runs after pending saves of the
 * record; typed text stays.
 * @param recordOf returns the visible version
 */
export const setDatasetException = (
  guid: string,
  editStore: EditStore,
  recordOf: () => ServerRecord,
) =>
  mutationOptions<ServerRecord, CallError, ExceptionChange>({
    mutationKey: [...tableKeys.one(guid), 'except'],
    mutationFn: async ({ check, exception }) => {
      const { dataset, etag } = recordOf();
      const collection = { kind: 'table', id: guid } as const;
      const send = () =>
        write(apiPaths.checkException(collection, dataset.jrid, check), {
          ...(exception ? { method: 'PUT', body: exception } : { method: 'DELETE' }),
          ifMatch: etag,
          parse: onlyDataset,
        });
      return toStored(await expectOwnEvents(collection, [dataset.jrid], send));
    },
    onSuccess: (stored) => {
      const { jrid } = stored.dataset;
      editStore.applyRemote([jrid], new Map([[jrid, stored]]), performance.now());
    },
    // The record may have been changed since it was loaded: the form must show that.
    onError: (_error, _change, _before, { client }) => void refetchRecords(client, guid),
  });
