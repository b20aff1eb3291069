import { mutationOptions } from '@tanstack/react-query';
import type { DeletedDataset } from '#shared/contract/table-analysis-answers.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { datasetCalls } from '../edit-store/datasets.calls.ts';
import { undoModule } from '../undo/lazy-undo-module.ts';

/** Deletions and restorations of a table run one after the other. */
const writesOf = (guid: string) => ({
  mutationKey: [...tableKeys.one(guid), 'deleted'],
  scope: { id: `${guid} deleted` },
});

/**
 * Deletes records, all or none.
 * @param versionsSeen returns the versions that the user has seen, by jrid; a record with another version is not
 * deleted
 */
export const deleteRecords = (
  guid: string,
  versionsSeen: () => (jrid: string) => string | null | undefined,
) =>
  mutationOptions({
    ...writesOf(guid),
    mutationFn: async (jrids: readonly string[]) => {
      const etagOf = versionsSeen();
      const datasets = jrids.map((jrid) => {
        const ifMatch = etagOf(jrid);
        return { jrid, ...(ifMatch ? { ifMatch } : {}) };
      });
      await datasetCalls(guid).delete(datasets);
      return jrids;
    },
  });

/** Restores records whose last change was their deletion by the user. */
export const restoreRecords = (guid: string) =>
  mutationOptions({
    ...writesOf(guid),
    mutationFn: async (jrids: readonly string[]) => {
      const { readDeletions } = await undoModule.load();
      const calls = datasetCalls(guid);
      const deletions = await readDeletions(jrids, calls);
      if (deletions.length > 0) await calls.undo(deletions);
      return jrids;
    },
  });

/** Restores records by the entries of the list of deletions, all or none. */
export const restoreDeleted = (guid: string) =>
  mutationOptions({
    ...writesOf(guid),
    mutationFn: async (datasets: readonly DeletedDataset[]) => {
      await datasetCalls(guid).undo(datasets);
      return datasets;
    },
  });
