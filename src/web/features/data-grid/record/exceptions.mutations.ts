import { mutationOptions } from '@tanstack/react-query';
import type { CallError } from '#web/api/failure.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import type { ExceptionChange } from '#web/findings/finding.ts';
import { exceptRecord } from '../edit-store/datasets.calls.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { Stored } from '../edit-store/edits.ts';
import { refetchRecords } from './record.queries.ts';

/**
 * Says that a record is right as it is although a check is not met, or ends that. It runs after what is being saved of the
 * record; what is typed in it stays.
 * @param recordOf the version that is shown
 */
export const exceptDataset = (guid: string, editStore: EditStore, recordOf: () => Stored) =>
  mutationOptions<Stored, CallError, ExceptionChange>({
    mutationKey: [...tableKeys.one(guid), 'except'],
    mutationFn: (change) => {
      const { dataset, etag } = recordOf();
      return exceptRecord(guid, { jrid: dataset.jrid, etag }, change);
    },
    onSuccess: (stored) => {
      const { jrid } = stored.dataset;
      editStore.applyRemote([jrid], new Map([[jrid, stored]]), performance.now());
    },
    // Somebody may have changed it since it was read: the form is to show that.
    onError: (_error, _change, _before, { client }) => void refetchRecords(client, guid),
  });
